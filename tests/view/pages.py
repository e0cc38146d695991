"""What tests of the page share: a reader of its tags and of the data in it."""

import json
import re
from html.parser import HTMLParser

HOSTILE = "<img src=x onerror=alert(1)>\"' </script><script>alert(2)</script> \u2028\u2029\u202e\x07 &amp; ]]>"


class Reader(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.at = [], {}, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.at = f"{tag} {dict(attributes).get('type', '')}".strip()

    def handle_endtag(self, tag):
        self.at = None

    def handle_data(self, data):
        if self.at:
            self.text.setdefault(self.at, []).append(data)


def data_of(text):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])
