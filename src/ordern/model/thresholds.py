"""How large is large: every size at which the library goes another way, with what was measured there.

Times are from a two-core AVX2 machine (Python 3.11, LLVM 20), machine code not yet on disk. None of these numbers
changes a result beyond rounding; they decide how long compiling takes and how fast what is compiled runs.
"""

from __future__ import annotations

# --- written out, or loops over bodies --------------------------------------------------------------------------------
# Forward dynamics of chains, compile time and time a state: 12 joints 1.5 s, 232 ns written out and 0.4 s, 247 ns in
# loops; 40 joints 5.1 s, 872 ns and 0.4 s, 823 ns; 64 joints 8.3 s, 1,440 ns and 0.4 s, 1,320 ns. Robots with zeros in
# their tables gain more by being written out: products with these zeros are dropped.
UNROLL = 40  # moving bodies up to which a program is written out
LONG = UNROLL  # and beyond which another algorithm may be the fastest: the rank that counts is rank_long
MANY_ON_PATHS = UNROLL  # for derivatives that carry wrenches along paths; beyond, one common frame costs less
FEW_ROOTS = (
    8  # trees up to which their first bodies are written out in loops too, so that each tree has a frame of its own
)
FEW = 3  # joints of a kind with fewer bodies than this are written out even in long robots: a loop of two saves nothing
LARGEST = (
    40_000  # statements of a program that is written out: some 4 s to compile; longer ones are loops where they can be
)
# and of one whose sweeps over columns are loops: Talos has 38,000 (27,000 with fused products), iCub 41,000. All in
# loops, derivatives of forward dynamics compile in a third of the time and take 1.7 times as long
BEFORE_LOOPS = 50_000
LARGEST_TRIPLES = (
    3_000  # statements, of results with a number for every three freedoms: loops are as fast and compile within 1 s
)
FEW_KINDS = (
    2  # kinds of joints up to which loops are the shorter text: they have a case for each pair or triple of kinds
)
# bodies up to which every derivative is carried through every operation: 32,654 statements; 20 bodies have 94,811
CARRIED = 12
# bodies up to which operations are counted one by one: 1.3 ms and 50 kB a body for log_det. Longer chains take 0.5 s
COUNTED = 200
# bodies up to which there are formulas: 2,000 take a minute and 0.7 GB, and more than that grows in proportion
MOST_FORMULAS = 5_000
# states up to which an algorithm runs on Python's own numbers, one after the other: 3 to 12 times as fast as on arrays
FEW_STATES = 3
# degrees of freedom of a mechanism up to which loops that stay open are closed from other starts too: 24 of them take
# 20 ms a state for the Stewart platform (24), and minutes for 50 states of thirty four-bars (61)
MOST_SEARCHED = 30
# joints on a path up to which fractions are tried: they gain some 180 digits a joint, so that log_det takes 10 s for 40
# joints, 20 min for 200, and two days for 1,000
MOST_FRACTIONS = 200
# statements up to which the interpreter runs a program for the self-test of its C text: 2 us each, and it runs twice
MOST_INTERPRETED = 200_000
WRITTEN_OUT_ONLY = (
    64  # bodies up to which results that loops cannot hold are compiled; beyond, the algorithm runs on NumPy
)
MOST_BY_HAND = 2 * 10**7  # numbers of one intermediate value when it does

# --- closed chains ----------------------------------------------------------------------------------------------------
LONG_LOOPS = 130  # bodies up to which a closed chain is written out: some 30,000 statements, 5 s to compile
# bodies from which simulations of one are loops over its units: what a step is made of is several times as long. 61
# bodies take 25 s written out, 133 bodies 18 s in loops (on a machine with other work)
LONG_CLOSED_MOTION = 60
LOOPS_CARRIED = 8  # bodies, where derivatives are carried through every operation besides
LONGEST_UNIT = 40  # bodies of a part that repeats itself
FEWEST_UNITS = 24  # repeats from which loops over units pay: a model of up to 15 is written out to find them
OUTSIDE_UNITS = 60  # bodies before and after the units, which are written out

# --- pieces of machine code -------------------------------------------------------------------------------------------
ONE_PIECE = 1200  # statements up to which a program is left to LLVM as one piece
COMPONENTS = 96  # statements up to which a loop over components of an integrator's state is written out
MOST_ADJOINT = (
    30_000  # statements of a program that is differentiated backwards: what it makes compiles in some seconds
)
FENCE = 48  # statements between two fences of a JAX graph: fewer leave little to fuse, more are computed again
ENOUGH_DIRECTIONS = 2  # at one state, from which the matrix of derivatives costs less than one pass a direction
MASS_MATRIX_SOLVED = (
    6  # degrees of freedom up to which simulation solves with M: 4 to 16 % faster than the sweep over bodies
)
MOST_WRITTEN_OUT = 160  # bodies of a simulation whose law has no loops: some ten seconds to compile

# --- threads and memory -----------------------------------------------------------------------------------------------
SLICE = 5e6  # ns of work between two looks at signals: Ctrl-C acts within 5 ms
WORTH = 1e5  # ns of work below which a second thread does not pay: waking one takes up to 50 us
TURN = 2e3  # ns of work that a thread takes at a time, at least: all threads end within that of each other
HELD = 1e4  # ns of work for which letting other Python threads run does not pay
IDLE_SPACE = 2**27  # bytes of workspace kept for the next batch
# bytes of output in one call, beyond which caches are of no use for it and results are streamed past them
STREAMED = 2**23
WIDE_ROW = 2048  # bytes of a row of results, from which streaming pays
