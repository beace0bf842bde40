"""What both sides stand on. It knows neither `web` nor `workers`."""

from shared.telemetry import switch_off_telemetry

switch_off_telemetry()
