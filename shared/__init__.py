"""Code that `web` and `workers` share. It imports neither of them."""

from shared.telemetry import switch_off_telemetry

switch_off_telemetry()
