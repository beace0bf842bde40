"""Background work: begin, make, complete. Everything here may run twice, late, or not at all."""
