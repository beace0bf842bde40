"""What operators and their monitoring see: readiness, backlog, alerts, the doctor's checks."""
