"""What a round costs: time, CPU, rows, and the call of the model in it."""
