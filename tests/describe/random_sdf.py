"""Descriptions that mix everything SDF has for links and joints, at random: what Drake reads of them is what ordern must read."""

import numpy as np

from .random_mjcf import Dice

DRAKE = "xmlns:drake='http://drake.mit.edu'"
KINDS = ("revolute", "continuous", "prismatic", "universal", "ball", "screw", "fixed")


class Sdf(Dice):
    """One model with models in it, some of them in files of their own: ``text`` and ``files`` (folder -> text of its model.sdf)."""

    def __init__(self, rng):
        super().__init__(rng)
        self.files, self.count = {}, 0
        version = self.pick("1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12")
        self.text = f"<sdf version='{version}' {DRAKE}>{self.world(version) if self.odds(0.3) else self.model(0, version)[1]}</sdf>"

    def world(self, version):
        """Two models, one on a frame of the world or on the other model, with a joint between them where SDF has that."""
        modern = minor(version) >= 8
        (one, first, links, *_), (two, second, _, _, root) = self.model(0, version), self.model(0, version)
        if modern:
            first = self.placed(first, self.pose(version, ["wf"]))
            second = self.placed(second, self.pose(version, ["", "wf", one, f"{one}::{links[0]}"]))
        parts = [first, second, f"<frame name='wf'>{self.pose(version)}</frame>" if modern else ""]
        if minor(version) >= 10:
            seen = ["wf", one, f"{two}::{root}"]
            parts.append(
                self.joint("wj", version, f"{one}::{self.pick(*links)}", f"{two}::{root}", ["", *seen], seen, "fixed")
            )  # Drake's only ones
        return "<world name='w'>" + "".join(parts[i] for i in self.rng.permutation(len(parts))) + "</world>"

    @staticmethod
    def placed(model, pose):
        """A model with that pose in place of its own."""
        head, _, rest = model.partition(">")
        return f"{head}>{pose}{rest.partition('</pose>')[2] if rest.startswith('<pose') else rest}"

    def write(self, folder):
        """As robot.sdf with the models that it includes beside it."""
        folder.mkdir()
        (folder / "robot.sdf").write_text(self.text)
        for name, text in self.files.items():
            (folder / name).mkdir()
            (folder / name / "model.sdf").write_text(text)

    def fresh(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def pose(self, version, bases=()):
        """A pose relative to one of the bases ("" stands for what it is relative to by default)."""
        if self.odds(0.1):
            return ""
        base = self.pick(*bases) if bases and minor(version) >= 7 else ""
        said, place, turn = f" relative_to='{base}'" if base else "", self.some(3), self.some(3)
        if minor(version) >= 9 and self.odds(0.3):
            return f"<pose{said} rotation_format='quat_xyzw'>{place} {self.unit(4)}</pose>"
        if minor(version) >= 9 and self.odds(0.3):
            return f"<pose{said} degrees='true'>{place} {self.some(3, -90, 90)}</pose>"
        return f"<pose{said}>{place} {turn}</pose>"

    def unit(self, k):
        x = self.rng.standard_normal(k)
        return " ".join(map(repr, (x / np.linalg.norm(x)).tolist()))

    def inertial(self, version):
        made = np.abs(self.rng.standard_normal((4, 3)))
        xx, yy, zz = (made**2).sum(0).tolist()
        turn = np.linalg.qr(self.rng.standard_normal((3, 3)))[0]
        full = turn @ np.diag([yy + zz, xx + zz, xx + yy]) @ turn.T
        entries = zip(
            ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"),
            full[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)].tolist(),
            strict=True,
        )
        tensor = "".join(f"<{key}>{value!r}</{key}>" for key, value in entries)
        if minor(version) >= 11 and self.odds(0.2):  # of a box
            size, dense = self.some(3, 0.3, 1), self.some(1, 100, 900)
            shape = f"<geometry><box><size>{size}</size></box></geometry>"
            mass = f"<mass>{self.some(1, 0.5, 3)}</mass>" if self.odds(0.5) else ""
            return (
                f"<inertial auto='true'>{mass}</inertial><collision name='{self.fresh('c')}'>{self.pose(version)}"
                f"<density>{dense}</density>{shape}</collision>"
            )
        return (
            f"<inertial>{self.pose(version)}<mass>{self.some(1, 0.5, 3)}</mass><inertia>{tensor}</inertia></inertial>"
        )

    def axis(self, tag, version, bases, xyz, springs=False):
        said = old = ""
        if minor(version) >= 7 and bases and self.odds(0.5):
            said = f" expressed_in='{self.pick(*bases)}'"
        elif minor(version) < 7 and self.odds(0.5):
            old = f"<use_parent_model_frame>{self.pick('1', 'true')}</use_parent_model_frame>"
        limit = f"<limit><lower>{self.some(1, -2, -1)}</lower><upper>{self.some(1, 1, 2)}</upper><effort>{self.some(1, 1, 9)}</effort></limit>"
        dynamics = f"<damping>{self.some(1, 0, 3)}</damping>" if self.odds(0.5) else ""
        if springs and self.odds(0.4):
            dynamics += f"<spring_stiffness>{self.some(1, 0, 9)}</spring_stiffness><spring_reference>{self.some(1)}</spring_reference>"
        return f"<{tag}><xyz{said}>{xyz}</xyz>{old}{limit if self.odds(0.4) else ''}<dynamics>{dynamics}</dynamics></{tag}>"

    def joint(self, name, version, parent, child, bases, axes, kind=""):
        kind = kind or self.pick(*KINDS)
        if kind == "screw" and minor(version) < 10:  # Drake reads no <thread_pitch>
            kind = "revolute"
        inside = f"{self.pose(version, bases)}<parent>{parent}</parent><child>{child}</child>"
        if kind == "universal":
            a = self.rng.standard_normal(3)
            b = np.cross(a, self.rng.standard_normal(3))
            seen = [self.pick(*axes)] if axes else []
            state = self.rng.bit_generator.state
            inside += self.axis("axis", version, seen, " ".join(map(repr, a.tolist())))
            self.rng.bit_generator.state = state
            inside += self.axis("axis2", version, seen, " ".join(map(repr, b.tolist())))
        elif kind not in ("ball", "fixed"):
            inside += self.axis(
                "axis", version, axes, self.some(3), springs=kind in ("revolute", "continuous", "prismatic")
            )
        if kind == "ball" and self.odds(0.5):
            inside += f"<axis><dynamics><damping>{self.some(1, 0, 3)}</damping></dynamics></axis>"
        if kind not in ("ball", "fixed", "universal") and self.odds(0.3):
            inside += f"<drake:rotor_inertia>{self.some(1, 0.1, 2)}</drake:rotor_inertia>"
            inside += f"<drake:gear_ratio>{self.some(1, -3, 3)}</drake:gear_ratio>" if self.odds(0.5) else ""
        if kind == "screw":
            inside += f"<screw_thread_pitch>{self.some(1, 0.2, 2)}</screw_thread_pitch>"
        return f"<joint name='{name}' type='{kind}'>{inside}</joint>"

    def model(self, depth, version):
        """(its name, its text, its links, its frames, the link that nothing in it moves)."""
        name, modern = self.fresh("m"), minor(version) >= 7
        parts, links, frames, tied = [], [], ["", "__model__"], {}
        inner = self.rng.integers(0, 3) if depth < 2 else 0
        kinds = ["link"] * int(self.rng.integers(1, 4)) + ["model"] * int(inner)
        kinds = [kinds[i] for i in self.rng.permutation(len(kinds))]
        root = None
        for k, kind in enumerate(kinds):
            joint = self.fresh("j")
            before = modern and k and self.odds(0.3)
            if before:  # the joint stands on its own, and its child on it
                frames.append(joint)
            place = self.pose(version, [joint] if before and self.odds(0.5) else frames)
            if kind == "link":
                own = self.fresh("l")
                parts.append(f"<link name='{own}'>{place}{self.inertial(version)}</link>")
                new, inside, end = [own], [], own
            else:
                text, new, inside, end = self.nested(depth, version, place)
                parts.append(text)
            if root is None:
                root = end
            else:
                parent = self.pick(*links, *(f for f, on in tied.items() if on in links))
                bases = [f for f in frames[1:] if f != joint] if before else ["", *new, *frames[1:]]
                seen = ["", "__model__", *new, *frames[2:]] if modern else []
                child = end
                if modern and self.odds(0.2):
                    child = self.fresh("f")
                    parts.append(
                        f"<frame name='{child}' attached_to='{end}'>{self.pose(version, ['', *new] if not before else ['', end])}</frame>"
                    )
                parts.append(self.joint(joint, version, parent, child, bases if modern else [], [s for s in seen if s]))
            links += new
            frames += [f for f in (*new, *inside) if f not in frames]
            if modern and self.odds(0.4):
                own, on = self.fresh("f"), self.pick(*links)
                parts.append(f"<frame name='{own}' attached_to='{on}'>{self.pose(version, frames)}</frame>")
                frames.append(own)
                tied[own] = on
        top = f"<pose>{self.some(6)}</pose>" if self.odds(0.5) else ""
        parts = [parts[i] for i in self.rng.permutation(len(parts))] if modern else parts
        chosen = self.pick(*links)
        said = f" canonical_link='{chosen}'" if modern and self.odds(0.3) else ""
        if depth:
            return name, said, "".join(parts), links, [f for f in frames[2:] if f not in links and "::" not in f], root
        return name, f"<model name='{name}'{said}>{top}{''.join(parts)}</model>", links, frames, root

    def nested(self, depth, version, place):
        """A model in a model, or in a file of its own; (text, links, frames, root), with the names of the model around."""
        own = self.pick("1.6", "1.7", "1.9", "1.11") if self.odds(0.3) else ""
        name, said, inside, links, inner, root = self.model(depth + 1, own or version)
        placed = self.pick(*links, *inner) if minor(version) >= 8 and self.odds(0.3) else ""
        alias, merge = name, ""
        if own:
            self.files[name] = (
                f"<sdf version='{own}' {DRAKE}><model name='{name}'{said}>{self.pose('1.6')}{inside}</model></sdf>"
            )
            alias = self.fresh("m")
            merge = (
                " merge='true'"
                if minor(version) >= 9 and self.odds(0.3) and "m" not in "".join(links).replace("::", "")
                else ""
            )
            put = f"<placement_frame>{placed}</placement_frame>" if placed and place else ""
            text = f"<include{merge}><uri>model://{name}/model.sdf</uri><name>{alias}</name>{place}{put}</include>"
        else:
            put = f" placement_frame='{placed}'" if placed else ""
            text = f"<model name='{name}'{said}{put}>{place}{inside}</model>"
        front = "" if merge else f"{alias}::"
        return text, [front + x for x in links], [front + x for x in inner] + ([] if merge else [alias]), front + root


def minor(version):
    return int(version.split(".")[1])
