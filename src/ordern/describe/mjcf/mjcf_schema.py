"""What MJCF calls its elements and attributes, as far as they bear on motion: what is not named here is refused with
its line.

Sections in HARMLESS have no bearing on rigid dynamics and are passed over unread.
"""

from __future__ import annotations

from ...errors import ModelError, near
from ..xml import Element

__all__ = ["ACTUATORS", "EQUALITIES", "HARMLESS", "ORIENTATION", "SECTIONS", "known"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ORIENTATION = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
_TURN = " ".join(ORIENTATION)
HARMLESS = _set("size statistic visual extension sensor")
SECTIONS = (
    _set("compiler option default asset worldbody deformable contact tendon equality actuator keyframe include body")
    | {"custom"}
    | HARMLESS
)
_ACTUATOR = """name class group nsample interp delay ctrllimited forcelimited actlimited ctrlrange forcerange actrange
    lengthrange gear damping armature cranklength joint jointinparent tendon slidersite cranksite site refsite body user
    actdim dyntype gaintype biastype dynprm gainprm biasprm actearly inheritrange"""
ACTUATORS: dict[str, frozenset[str]] = {
    "general": _set(_ACTUATOR + " input velrange ffrange posrange"),
    "motor": _set(_ACTUATOR),
    "position": _set(_ACTUATOR + " kp kv dampratio timeconst"),
    "velocity": _set(_ACTUATOR + " kv"),
    "intvelocity": _set(_ACTUATOR + " kp kv dampratio timeconst"),
    "damper": _set(_ACTUATOR + " kv"),
    "cylinder": _set(_ACTUATOR + " timeconst area diameter bias"),
    "muscle": _set(_ACTUATOR + " timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax"),
    "adhesion": _set(_ACTUATOR + " gain"),
    "dcmotor": _set(
        _ACTUATOR + " motorconst resistance nominal saturation inductance cogging controller thermal lugre input"
    ),
    "orientation": _set(_ACTUATOR + " kp kv dampratio input"),
    "pid": _set(_ACTUATOR + " kp kv ki imax slewmax dampratio input posrange velrange ffrange"),
    "plugin": _set(_ACTUATOR + " plugin instance"),
}
_EQUALITY = "name class active solref solimp"
_TENDON = """name class group limited actuatorfrclimited range actuatorfrcrange solreflimit solimplimit solreffriction
    solimpfriction frictionloss springlength springyield width material margin stiffness damping armature rgba user"""
EQUALITIES: dict[str, frozenset[str]] = {
    "connect": _set(f"{_EQUALITY} anchor body1 body2 site1 site2"),
    "weld": _set(f"{_EQUALITY} body1 body2 anchor relpose torquescale site1 site2"),
    "joint": _set(f"{_EQUALITY} joint1 joint2 polycoef"),
    "tendon": _set(f"{_EQUALITY} tendon1 tendon2 polycoef"),
}
KNOWN: dict[str, frozenset[str]] = {
    "compiler": _set("""autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb
        eulerseq meshdir texturedir discardvisual usethread fusestatic inertiafromgeom inertiagrouprange saveinertial
        assetdir alignfree conflict exactmeshinertia convexhull passthrough savecanonical savecompiled"""),
    "option": _set("""timestep apirate impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance
        sleep_tolerance gravity wind magnetic density viscosity o_margin o_solref o_solimp o_friction integrator cone
        jacobian solver iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations sdf_iterations
        sdf_initpoints actuatorgroupdisable collision"""),
    "flag": _set("""constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart
        filterparent actuation refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd override energy
        fwdinv invdiscrete sleep diagexact sensornoise ipc speculative"""),
    "default": _set("class"),
    "worldbody": frozenset(),
    "body": _set(f"name childclass pos {_TURN} mocap gravcomp sleep simple fuse user"),
    "frame": _set(f"name childclass pos {_TURN}"),
    "replicate": _set("count offset euler sep childclass prefix"),
    "attach": _set("model body frame prefix"),
    "inertial": _set(f"pos mass diaginertia fullinertia {_TURN}"),
    "joint": _set("""name class type group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit
        solreffriction solimpfriction stiffness range actuatorfrcrange actuatorgravcomp margin ref springref springyield
        armature damping frictionloss user"""),
    "freejoint": _set("name group align"),
    "geom": _set(f"""name class type contype conaffinity condim group priority size material friction mass density
        shellinertia solmix solref solimp margin gap surfacevel adhesion fromto pos {_TURN} hfield mesh fitscale rgba
        castshadow fluidshape fluidcoef user"""),
    "mesh": _set("""name class content_type file vertex normal texcoord face refpos refquat scale smoothnormal
        maxhullvert inertia builtin params material octree_maxdepth"""),
    "model": _set("name file content_type"),
    "fixed": _set(_TENDON),
    "key": _set("name time qpos qvel act ctrl mpos mquat plastic"),
}  # fmt: skip
INSIDE: dict[str, frozenset[str]] = {
    "compiler": _set("lengthrange"),
    "option": _set("flag"),
    "default": _set("default mesh texture material joint geom site camera light pair equality tendon") | set(ACTUATORS),
    "asset": _set("mesh hfield skin texture material model include"),
    "body": _set(
        "body frame replicate inertial joint freejoint geom attach site camera light plugin composite flexcomp include"
    ),
    "equality": _set("connect weld joint tendon flex flexvert flexstrain distance include"),
    "tendon": _set("fixed spatial include"),
    "actuator": frozenset(ACTUATORS) | {"include"},
    "keyframe": _set("key include"),
    "inertial": frozenset(),
    "joint": frozenset(),
    "freejoint": frozenset(),
}
for _same in ("worldbody", "frame", "replicate"):
    INSIDE[_same] = INSIDE["body"]


def known(element: Element, attributes: frozenset[str] | None = None) -> Element:
    """The element, checked: an unknown attribute or child is refused, as dynamics may depend on it."""
    allowed = KNOWN.get(element.tag) if attributes is None else attributes
    if allowed is not None:
        for key in element.attributes:
            if key not in allowed:
                raise ModelError(
                    f"{element.where}: MJCF has no attribute {key[:80]!r} there{near(key, allowed) or '; remove it'}"
                )
    inside = INSIDE.get(element.tag)
    if inside is not None:
        for child in element.children:
            if child.tag not in inside:
                raise ModelError(
                    f"{child.where}: MJCF has no <{child.tag[:80]}> in "
                    f"<{element.tag}>{near(child.tag, inside) or '; remove it'}"
                )
    return element
