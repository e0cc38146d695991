"""The report's chapter without comparisons: schematic figures and the papers' announced work."""

from __future__ import annotations

from ..report.html_report import Section
from ..report.tables import Table
from .schematics import drawings

__all__ = ["ANNOUNCED", "beyond"]

ANNOUNCED = (  # paper, what it announces or points to, whether it is here and where
    (
        "Lee, Chirikjian 2005, sec. IV",
        "rigid bodies instead of point masses",
        "here",
        'forward_dynamics(method="fixman"), and its chapter above',
    ),
    (
        "Lee, Chirikjian 2005, sec. IV",
        "other joints, three dimensions",
        "here",
        "the same method: any joint, trees included",
    ),
    (
        "Lee, Chirikjian 2005, sec. I",
        "the determinant of polymer chains",
        "here",
        "robot.log_det and its gradient in O(n), simulate(fixman=True)",
    ),
    (
        "Lee, Chirikjian 2005, sec. I",
        "dynamics of polymers (Fixman)",
        "here",
        'Langevin dynamics: simulate(method="baoab")',
    ),
    (
        "Saha 1999 (DeNOC), sec. 1",
        "O(log n) on parallel hardware (Fijany et al.)",
        "not here",
        "batches use all cores; one robot is computed by one",
    ),
    (
        "Saha 1999 (both), sec. 3",
        "spherical and screw joints, as several others",
        "here",
        "joints of their own, with several columns in p_i",
    ),
    (
        "Saha 1999 (DeNOC), references",
        "flexible links (Cyril 1988)",
        "not here",
        "springs on joints are; beams: MuJoCo, finite elements",
    ),
    (
        "ReDySim, after the papers",
        "closed chains",
        "here",
        "loops in robot.loops, the page on closed chains; jacobian.m is not read",
    ),
    (
        "Saha 1999 (DeNOC), sec. 5",
        "RIDIM and RFDSIM, programs in C++",
        "here",
        "as ordern inverse and ordern simulate; we do not have the programs",
    ),
    (
        "Provenzano et al., sec. 5",
        "the Hessian for other multibody systems",
        "here",
        'mass_matrix(method="gibbs-appell"): trees, any joint',
    ),
)


def beyond() -> tuple[str, str, str, list[Section]]:
    """A chapter: its name in the menu, title, remark and sections."""
    table = Table("What the papers announce or point to", ("paper", "announced", "is it here", "where"), ANNOUNCED)
    text = (
        "The papers' figures without data, drawn by us after their texts, since the drawings are not in them. None is "
        "missing but those on the first page of Saha 1997 in our copy, which belong to the article printed before it."
    )
    sections = [Section("Schematic figures", (text, *drawings())), Section("Announced", (table,))]
    return "Drawings, and beyond", "Figures without data, and what lies beyond the papers", "", sections
