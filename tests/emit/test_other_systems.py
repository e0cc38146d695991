"""Object files for Windows and macOS of the robots of the grid: headers, symbols and what they need from outside.

That the code computes the same there is not shown by this; that LLVM takes the text for these systems, and that nothing is called that they
lack, is.
"""

from __future__ import annotations

import struct

import pytest

import robots
from budget import TRUST
from ordern.algorithms.registry import choose, find
from ordern.emit.llvm.kernel_text import lower
from ordern.emit.llvm.lanes import Lanes
from ordern.program.carry import carry
from ordern.program.passes import fuse
from ordern.runtime.call import Call, static_options

TARGETS = {"x86_64-pc-windows-msvc": 2, "arm64-apple-darwin": 2}  # lanes that every such processor has
LIBRARY = {
    "fma",
    "fmaf",
    "memcpy",
    "memset",
    "memset_pattern16",
    "bzero",
    "__chkstk",
    "_fltused",
}  # of the C library and the compiler's own
QUANTITIES = ["inverse_dynamics", "forward_dynamics", "mass_matrix"] if TRUST else ["inverse_dynamics"]


def coff(data):
    """(defined, undefined) names of a COFF object file for x86-64, after its header was checked."""
    machine, sections, _, table, count, optional, _ = struct.unpack_from("<HHIIIHH", data)
    assert machine == 0x8664 and 0 < sections < 5000 and optional == 0 and 0 < table < len(data)
    names = data[table + 18 * count :]
    assert struct.unpack_from("<I", names)[0] == len(names)
    found, k = {}, 0
    while k < count:
        raw, _, section, _, storage, more = struct.unpack_from("<8sIhHBB", data, table + 18 * k)
        name = names[struct.unpack("<4xI", raw)[0] :].split(b"\0")[0] if raw[:4] == bytes(4) else raw.rstrip(b"\0")
        if storage == 2:
            found[name.decode()] = section
        k += 1 + more
    return {n for n, s in found.items() if s}, {n for n, s in found.items() if not s}


def mach_o(data):
    """The same of a Mach-O object file for arm64; C names begin with an underscore there."""
    magic, cpu, _, kind, commands, size = struct.unpack_from("<IiiIII", data)
    assert magic == 0xFEEDFACF and cpu == 0x0100000C and kind == 1 and 32 + size <= len(data)
    at, defined, undefined = 32, set(), set()
    for _ in range(commands):
        command, length = struct.unpack_from("<II", data, at)
        if command == 2:
            symbols, count, strings, extent = struct.unpack_from("<IIII", data, at + 8)
            assert strings + extent <= len(data)
            for k in range(count):
                place, sort, section, _, _ = struct.unpack_from("<IBBHQ", data, symbols + 16 * k)
                name = data[strings + place :].split(b"\0")[0].decode().removeprefix("_")
                if sort & 1:
                    (defined if section else undefined).add(name)
        at += length
    return defined, undefined


def object_for(triple, text):
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(triple).create_target_machine(opt=1, reloc="pic", codemodel="default")
    module = llvm.parse_assembly(text)
    module.triple = triple
    return bytes(machine.emit_object(module))


@pytest.mark.parametrize("triple", TARGETS)
@pytest.mark.parametrize("quantity", QUANTITIES)
@pytest.mark.parametrize("robot", robots.GRID)
def test_object_files_of_the_grid(robot, quantity, triple):
    model = robots.GRID[robot]()
    if all(a.refusal(model) for a in find(quantity)):
        return
    algorithm = choose(quantity, None, model)
    program = carry(fuse(Call(model, algorithm, static_options(algorithm, model, None)).program()))
    data = object_for(triple, lower(program, Lanes(TARGETS[triple], "float64"), 16).text)
    defined, undefined = (coff if "windows" in triple else mach_o)(data)
    assert "kernel" in defined
    assert undefined <= LIBRARY, undefined
