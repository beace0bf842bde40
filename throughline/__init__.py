"""The command `throughline`: what an operator does from a shell. See docs/operations.md."""
