"""What both sides stand on. It knows neither `web` nor `workers`."""
