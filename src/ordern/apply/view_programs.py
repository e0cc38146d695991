"""What the page computes: algorithms traced for this robot and written as JavaScript, so that the page holds no second copy of any of them."""

from __future__ import annotations

from typing import Any

from ..algorithms.registry import Algorithm, choose
from ..evaluate.programs import trace
from ..model import Model
from ..program.ir import Program
from ..small import gram
from ..spatial import ArticulatedInertia, RigidInertia, Rotation, Transform, Vec3

__all__ = ["programs"]

WRITTEN_OUT = 14  # bodies: beyond, loops keep the text short
LARGEST_MATRIX = 200  # degrees of freedom: beyond, the page does not show M
LONGEST = 120_000  # statements of one program


def _packed(m: Any, v: Any) -> Any:
    """A 3x3 matrix and a vector, in the place that a pose has in the output."""
    return Transform(Rotation(m.T), v)


def composite_bodies(tree: Any, q: Any) -> Any:
    """Per link: inertia and first moment of its body with all that it carries, rigid, about the body's origin and in its axes."""
    X, Ic = tree.table("X"), tree.table("Ic", base=RigidInertia.zero())
    seen = tree.link_table("seen")
    for i, _ in tree.outward("placement"):
        X[i], _ = tree.joint[i].motion(q[i])
        Ic[i] = tree.inertia[i]
    for i, p in tree.inward("composite"):
        Ic[p] += Ic[i].seen_from_parent(X[i])
    for k, b in tree.links("links"):
        seen[k] = _packed(Ic[b].I.full(), Ic[b].h)
    return seen


def articulated_bodies(tree: Any, q: Any) -> Any:
    """Per link: the blocks I, H, M of the articulated inertia of its body, all joints beyond it giving way."""
    X, S = tree.table("X"), tree.table("S")
    A = tree.table("A", base=ArticulatedInertia.zero())
    made = [tree.link_table(name) for name in "IHM"]
    for i, _ in tree.outward("placement"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        A[i] = tree.inertia[i].articulated()
    for i, p in tree.inward("articulated"):
        U = A[i] @ S[i]
        psi = U / gram(S[i], U).plus_diagonal(tree.armature[i])
        A[p] += (A[i] - U @ psi.T).seen_from_parent(X[i])
    for k, b in tree.links("links"):
        for table, block in zip(made, (A[b].I.full(), A[b].H, A[b].M.full()), strict=True):
            table[k] = _packed(block, Vec3.zero())
    return tuple(made)


COMPOSITE = Algorithm(composite_bodies, "composite_bodies", "page", ("q",), ("poses",))
ARTICULATED = Algorithm(articulated_bodies, "articulated_bodies", "page", ("q",), ("poses", "poses", "poses"))


def programs(model: Model) -> str:
    """A script that leaves ``ordernPrograms``: functions of q, each returning its flat arrays."""
    wanted = {"poses": choose("forward_kinematics", None, model), "composite": COMPOSITE}
    if model.nv:
        wanted["gravity"] = choose("gravity_forces", None, model)
        if not model.coupled and not _massless_tip(model):
            wanted["articulated"] = ARTICULATED
        if model.nv <= LARGEST_MATRIX:
            wanted["mass"] = choose("mass_matrix", "composite", model)
    rolled = len(model.bodies) > WRITTEN_OUT
    parts = []
    for name, algorithm in wanted.items():
        program = trace(algorithm, model, rolled=rolled)
        if len(program.nodes) <= LONGEST:
            parts.append(f'"{name}":{_function(program)}')
    return '"use strict";globalThis.ordernPrograms={\n' + ",\n".join(parts) + "\n};\n"


def _massless_tip(model: Model) -> bool:
    """Whether some joint moves nothing at all, so that articulated inertias divide by zero."""
    carries = [False] * len(model.bodies)
    for i in range(len(model.bodies) - 1, 0, -1):
        body = model.bodies[i]
        carries[i] = carries[i] or body.inertia.m > 0 or any(body.inertia.I) or any(body.armature)
        carries[body.parent] = carries[body.parent] or carries[i]
        if not carries[i]:
            return True
    return False


# --- stand-in for emit/javascript.py -----------------------------------------------------------------------------------------------
def _function(p: Program) -> str:
    lines: list[str] = []
    for name, shape in p.outputs.items():
        size = 1
        for s in shape:
            size *= s
        lines.append(f"const {name}=new Float64Array({size});")
    for k, (_, width) in enumerate(p.tables):
        lines.append(f"const T{k}=new Float64Array({max(width, 1) * max(p.rows, 1)});")
    for k, (_, n) in enumerate(p.matrices):
        lines.append(f"const W{k}=new Float64Array({n * n});")
    for k, column in enumerate(p.columns):
        lines.append(f"const C{k}=[{','.join(_number(float(x)) for x in column)}];")
    for k, index in enumerate(p.indices):
        lines.append(f"const I{k}=[{','.join(str(int(x)) for x in index)}];")
    _block(p, p.body, lines)
    lines.append(f"return {{{','.join(p.outputs)}}};")
    return f"function({','.join(p.inputs)}){{\n" + "\n".join(lines) + "\n}"


def _number(x: float) -> str:
    text = repr(x)
    return text[:-2] if text.endswith(".0") else text


def _block(p: Program, body: list[Any], lines: list[str]) -> None:
    rows = max(p.rows, 1)
    for s in body:
        if isinstance(s, int):
            lines.append(_node(p, s))
        elif isinstance(s, tuple):
            op = s[0]
            if op == "store":
                lines.append(f"T{s[1]}[{s[2] * rows}+{_v(p, s[3])}]={_v(p, s[4])};")
            elif op == "mstore":
                n = p.matrices[s[1]][1]
                lines.append(f"W{s[1]}[({_v(p, s[2])}+{s[3]})*{n}+{_v(p, s[4])}+{s[5]}]={_v(p, s[6])};")
            elif op == "out":
                lines.append(f"{s[1]}[{s[2]}]={_v(p, s[3])};")
            elif op == "outx":
                lines.append(f"{s[1]}[{_v(p, s[2])}*{s[4]}+{s[3]}]={_v(p, s[5])};")
            elif op == "zero":
                lines.append(f"{s[2] if s[1] == 'out' else f'W{s[2]}'}.fill(0);")
            elif op == "copy":
                n = p.matrices[s[2]][1]
                pick = "c<=r?r*N+c:c*N+r" if s[3] else "r*N+c"
                lines.append(f"for(let r=0,N={n};r<N;r++)for(let c=0;c<N;c++){s[1]}[r*N+c]=W{s[2]}[{pick}];")
        else:
            _loop(p, s, lines)


def _loop(p: Program, loop: Any, lines: list[str]) -> None:
    k = f"L{loop.number}"
    if loop.kind == "range":
        lines.append(f"for(let {k}={loop.start};{k}{'<' if loop.step > 0 else '>'}{loop.stop};{k}+={loop.step}){{")
    else:
        lines.append(f"for(let {k}={_v(p, loop.start)};I{loop.parent}[{k}]!==0;{k}=I{loop.parent}[{k}]){{")
    if len(loop.cases) == 1:
        _block(p, loop.cases[0][1], lines)
    else:
        for number, (codes, block) in enumerate(loop.cases):
            at = [k, f"I{loop.parent}[{k}]"]
            tests = "&&".join(f"I{c}[{at[m]}]==={codes[m]}" for m, c in enumerate(loop.selectors))
            lines.append(f"{'else ' if number else ''}if({tests}){{")
            _block(p, block, lines)
            lines.append("}")
    lines.append("}")


def _v(p: Program, k: int) -> str:
    node = p.nodes[k]
    if node[0] == "const":
        return _number(node[1]) if node[1] >= 0 else f"({_number(node[1])})"
    if node[0] == "iconst":
        return str(node[1])
    if node[0] == "loopvar":
        return f"L{node[1]}"
    if node[0] in ("sin", "cos"):
        return f"{node[0][0]}{node[1]}"
    return f"v{k}"


_OPERATORS = {
    "add": "{0}+{1}", "sub": "{0}-{1}", "mul": "{0}*{1}", "div": "{0}/{1}", "neg": "-{0}", "sqrt": "Math.sqrt({0})",
    "tanh": "Math.tanh({0})", "fma": "{0}*{1}+{2}", "fms": "{0}*{1}-{2}", "fnma": "{2}-{0}*{1}",
}  # fmt: skip


def _node(p: Program, k: int) -> str:
    node = p.nodes[k]
    op, rows = node[0], max(p.rows, 1)
    if op in ("const", "iconst", "loopvar", "sin", "cos"):
        return ""
    if op == "sincos":
        a = _v(p, node[1])
        return f"const s{k}=Math.sin({a}),c{k}=Math.cos({a});"
    if op in _OPERATORS:
        return f"const v{k}={_OPERATORS[op].format(*(_v(p, a) for a in node[1:]))};"
    right = {
        "in": lambda: f"{node[1]}[{node[2]}]",
        "inx": lambda: f"{node[1]}[{_v(p, node[2])}+{node[3]}]",
        "cload": lambda: f"C{node[1]}[{_v(p, node[2])}]",
        "iload": lambda: f"I{node[1]}[{_v(p, node[2])}]",
        "load": lambda: f"T{node[1]}[{node[2] * rows}+{_v(p, node[3])}]",
        "mload": lambda: f"W{node[1]}[({_v(p, node[2])}+{node[3]})*{p.matrices[node[1]][1]}+{_v(p, node[4])}+{node[5]}]",
        "iaff": lambda: f"{_v(p, node[1])}*{node[2]}+{node[3]}",
    }[op]()
    return f"const v{k}={right};"
