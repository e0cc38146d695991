"""Program to machine code or text: LLVM, C, LaTeX."""
