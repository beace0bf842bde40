"""How many jobs, imported messages and vectors a second."""
