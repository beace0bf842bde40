"""Flask only, thin: parse, authorise, call, render."""
