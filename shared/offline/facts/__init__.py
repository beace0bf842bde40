"""The facts that the stand-in reads in what a user says."""
