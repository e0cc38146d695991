"""Descriptions that mix everything MJCF has for bodies and for motors, at random: what MuJoCo reads of them is what ordern must read."""

SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
CORNERS = "-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1.5"
CLASSES = ("c0", "c1", "c2")


class Dice:
    """Random words and numbers for attributes."""

    def __init__(self, rng):
        self.rng = rng

    def odds(self, p):
        return self.rng.random() < p

    def pick(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def some(self, k, low=-1.0, high=1.0):
        return " ".join(f"{x:.4g}" for x in self.rng.uniform(low, high, k))

    def attributes(self, p, **texts):
        """Each of the attributes with the odds p."""
        return " ".join(f"{key}='{text}'" for key, text in texts.items() if self.odds(p))


class Bodies(Dice):
    """A tree of bodies with classes, frames, copies, meshes and options of the compiler."""

    def __init__(self, rng):
        super().__init__(rng)
        self.degree = self.odds(0.5)
        self.angle = 60.0 if self.degree else 1.0

    def turn(self):
        a = self.angle
        spelled = {
            "quat": self.some(4),
            "euler": self.some(3, -a, a),
            "axisangle": f"{self.some(3)} {self.some(1, -a, a)}",
        }
        spelled |= {"zaxis": self.some(3), "xyaxes": self.some(6), "": ""}
        key = self.pick(*spelled)
        return f"{key}='{spelled[key]}'" if key else ""

    def place(self):
        return f"{self.attributes(0.8, pos=self.some(3))} {self.turn()}"

    def weight(self, shell=True):
        made = self.attributes(
            0.3, mass=self.some(1, 0.1, 2), density=self.some(1, 50, 900), group=self.rng.integers(0, 5)
        )
        made += " shellinertia='true'" if shell and self.odds(0.15) else ""
        return made + (" contype='0' conaffinity='0'" if self.odds(0.2) else "")

    def geom(self):
        size, own = f"size='{self.some(3, 0.05, 0.2)}'", f"class='{self.pick(*CLASSES)}'" if self.odds(0.3) else ""
        kind = self.rng.random()
        if kind < 0.15:
            return f"<geom {own} {size} {self.weight()}/>"
        if kind < 0.3:
            return f"<geom {own} type='{self.pick('capsule', 'cylinder', 'box', 'ellipsoid')}' fromto='{self.some(6)}' {size} {self.weight()}/>"
        if kind < 0.4:
            return f"<geom {own} type='mesh' mesh='{self.pick('m0', 'm1')}' {self.weight(shell=False)} {self.place()}/>"
        return f"<geom {own} type='{self.pick(*SIZES)}' {size} {self.weight()} {self.place()}/>"

    def joint_attributes(self, ball):
        a = self.angle
        made = self.attributes(
            0.35, axis=self.some(3), pos=self.some(3), armature=self.some(1, 0, 0.3), damping=self.some(1, 0, 3)
        )
        made += " " + self.attributes(
            0.3, springref=self.some(1, -a, a), ref=self.some(1, -a, a), frictionloss=self.some(1, 0, 1)
        )
        made += " " + self.attributes(0.2, stiffness=self.some(1, 0, 9))
        if not ball:
            made += " " + self.attributes(0.2, range=f"{self.some(1, -a, 0)} {self.some(1, 0, a)}")
        return made

    def joints(self, k, free):
        made, ball = "", False
        for j in range(self.rng.integers(0, 4)):
            kind = self.pick("hinge", "hinge", "slide", "ball")
            if kind == "ball" and free < 3:
                kind = "hinge"
            used = 3 if kind == "ball" else 1
            if used > free or (ball and kind != "slide"):  # MuJoCo turns nothing behind a ball
                continue
            own = f"class='{self.pick(*CLASSES)}'" if self.odds(0.3) else ""
            made += f"<joint name='j{k}_{j}' type='{kind}' {own} {self.joint_attributes(kind == 'ball')}/>"
            free, ball = free - used, ball or kind == "ball"
        return made

    def inertial(self):
        moments = self.some(3, 0.1, 0.2)
        spelled = (
            f"diaginertia='{moments}' {self.turn()}"
            if self.odds(0.5)
            else f"fullinertia='{moments} {self.some(3, -0.02, 0.02)}'"
        )
        return f"<inertial pos='{self.some(3)}' mass='{self.some(1, 0.5, 3)}' {spelled}/>"

    def copies(self, inside):
        turned = f"offset='{self.some(3)}' euler='{self.some(3, -self.angle, self.angle)}'"
        return f"<replicate count='{self.rng.integers(1, 12)}' {turned} {self.attributes(0.5, sep='-')}>{inside}</replicate>"

    def body(self, k, at_top, inner):
        if at_top and self.odds(0.25):
            joints = self.pick(
                "<freejoint/>",
                f"<joint name='f{k}' type='free' armature='0' damping='.3' stiffness='{self.some(1, 0, 9)}'/>",
            )
        else:
            joints = self.joints(k, 6)
        parts = [
            joints,
            self.inertial() if self.odds(0.3) else "",
            "".join(self.geom() for _ in range(self.rng.integers(1, 4))),
            inner,
        ]
        text = "".join(parts[i] for i in self.rng.permutation(4)) if self.odds(0.3) else "".join(parts)
        if self.odds(0.15):
            text += self.copies(self.geom())
        if self.odds(0.1):
            text += self.copies(
                f"<body name='r{k}_' {self.place()}><joint name='rj{k}_'/><geom size='.1' mass='.3' pos='.2 0 0'/></body>"
            )
        if self.odds(0.3) and "free" not in text:
            text = f"<frame {self.place()} {self.attributes(0.3, childclass=self.pick(*CLASSES))}>{text}</frame>"
        made = f"<body name='b{k}' {self.place()} {self.attributes(0.3, childclass=self.pick(*CLASSES))}>{text}</body>"
        return f"<frame {self.place()}>{made}</frame>" if self.odds(0.1) else made

    def settings(self):
        geom = f"<geom {self.attributes(0.8, type=self.pick(*SIZES))} size='{self.some(3, 0.05, 0.2)}' {self.weight(shell=False)}/>"
        mesh = f"<mesh scale='{self.some(3, 0.1, 0.3)}'/>"
        return "".join(e for e in (geom, f"<joint {self.joint_attributes(True)}/>", mesh) if self.odds(0.5))

    def compiler(self):
        made = f"angle='{'degree' if self.degree else 'radian'}' " + self.attributes(
            0.25, eulerseq="".join(self.pick(*"xyzXYZ") for _ in range(3)), boundmass=self.some(1, 0.1, 1), boundinertia=self.some(1, 0.01, 0.3),
            settotalmass=self.some(1, 1, 20), balanceinertia="true", inertiagrouprange=f"{self.rng.integers(0, 2)} 4",
        )  # fmt: skip
        return made + " " + self.pick("", "discardvisual='true'", "inertiafromgeom='true'")

    def text(self):
        count = int(self.rng.integers(2, 8))
        parents = [-1] + [int(self.rng.integers(-1, k)) for k in range(1, count)]
        bodies = [""] * count
        for k in range(count - 1, -1, -1):
            bodies[k] = self.body(k, parents[k] < 0, "".join(bodies[j] for j in range(k + 1, count) if parents[j] == k))
        kinds = "".join(f"<mesh name='m{i}' vertex='{CORNERS}' {self.mesh()}/>" for i in range(2))
        classes = f"<default>{self.settings()}<default class='c0'>{self.settings()}<default class='c1'>{self.settings()}</default></default>"
        classes += f"<default class='c2'>{self.settings()}</default></default>"
        top = "".join(b for b, parent in zip(bodies, parents, strict=True) if parent < 0)
        return (
            f"<mujoco><compiler {self.compiler()}/><option gravity='{self.some(3, -10, 10)}'/>{classes}<asset>{kinds}</asset>"
            f"<worldbody>{top}</worldbody></mujoco>"
        )

    def mesh(self):
        return self.attributes(
            0.5,
            inertia=self.pick("legacy", "exact", "convex", "shell"),
            scale=self.some(3, 0.05, 0.2),
            refpos=self.some(3),
            refquat=self.some(4),
        )


TWO_JOINTS = """<body name='a'><joint name='j' range='-1 2' ref='.2'/><geom size='.1' pos='.3 0 0' mass='1'/>
  <body name='b' pos='.5 0 0'><joint name='k' axis='0 1 0' damping='.1' armature='.2' actuatorfrcrange='-1 1'/>
  <geom size='.1' pos='.3 .1 0' mass='1'/>
  <body name='c'><joint name='l' range='-1 1' type='slide' axis='1 1 0'/><geom size='.1' mass='1'/></body></body></body>"""
TENDONS = """<fixed name='t' range='-2 1'><joint joint='j' coef='3'/><joint joint='k' coef='.5'/></fixed>
  <fixed name='s'><joint joint='k' coef='2'/></fixed>"""


class Motors(Dice):
    """Motors on joints and tendons of a small arm, with classes written in other shortcuts than those of the motors."""

    def attributes_of(self, tag, on_tendon=False):
        ends = {
            "ctrlrange": f"{self.some(1, -3, -0.1)} {self.some(1, 0.1, 3)}",
            "forcerange": f"{self.some(1, -3, -0.1)} {self.some(1, 0.1, 3)}",
        }
        made = (
            self.attributes(0.3, gear=self.some(1, -4, 4), **ends)
            + " "
            + self.attributes(0.1, ctrllimited="false", forcelimited="false")
        )
        if not on_tendon:
            made += " " + self.attributes(0.2, armature=self.some(1, 0, 0.3), damping=self.some(1, 0, 0.3))
        if tag == "position":
            made += (
                " "
                + self.attributes(0.5, kp=self.some(1, 0.1, 9))
                + " "
                + self.attributes(0.1, timeconst=self.pick("0", ".1"))
            )
            made += " " + self.pick("", f"kv='{self.some(1, 0, 2)}'", f"dampratio='{self.some(1, 0, 2)}'")
            made += f" inheritrange='{self.some(1, 0.3, 1.5)}'" if self.odds(0.2) and "ctrlrange" not in made else ""
        elif tag == "velocity":
            made += " " + self.attributes(0.6, kv=self.some(1, 0, 5))
        elif tag == "general":
            bias = f"{self.some(1)} {self.some(2, -3, 0)}"
            made += " " + self.attributes(
                0.5, gainprm=self.some(1, 0.1, 4), biastype=self.pick("none", "affine"), biasprm=bias
            )
            made += " " + self.attributes(0.1, dyntype=self.pick("none", "filter", "filterexact", "integrator"))
        return made

    def settings(self):
        tag = self.pick("motor", "position", "velocity", "general")
        return f"<{tag} {self.attributes_of(tag, on_tendon=True)}/>" if self.odds(0.6) else ""

    def motor(self, k):
        tag, target = (
            self.pick("motor", "position", "velocity", "general"),
            self.pick("joint='j'", "joint='k'", "joint='l'", "tendon='t'", "tendon='s'"),
        )
        own = self.pick("", "", "class='c'", "class='d'")
        return f"<{tag} name='a{k}' {own} {target} {self.attributes_of(tag, 'tendon' in target)}/>"

    def text(self):
        classes = f"<default>{self.settings()}<default class='c'>{self.settings()}<default class='d'>{self.settings()}</default></default></default>"
        motors = "".join(self.motor(k) for k in range(self.rng.integers(1, 5)))
        return (
            f"<mujoco><compiler angle='radian'/>{classes}<worldbody>{TWO_JOINTS}</worldbody><tendon>{TENDONS}</tendon>"
            f"<actuator>{motors}</actuator></mujoco>"
        )
