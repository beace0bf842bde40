"""What the measurements share: sites, services, clients, model servers, reports."""
