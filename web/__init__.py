"""The Flask application. Views parse, authorise, call and render, and decide nothing else."""
