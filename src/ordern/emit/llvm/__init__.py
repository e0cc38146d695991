"""Program -> LLVM text."""
