"""Applications: what people do with a robot's dynamics."""
