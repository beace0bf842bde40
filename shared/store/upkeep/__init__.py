"""What operators and the sweep ask of many tables at once."""
