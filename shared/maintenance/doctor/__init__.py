"""What is wrong with a site, and what to do: a list of small checks, one file a subject.

A finding holds no secret, no text of a user and no name, so that it can be pasted anywhere.
"""

from shared.maintenance.doctor.examination import Report, examine, fill_up, run_checks
from shared.maintenance.doctor.examined_site import Site, Status

__all__ = ["Report", "Site", "Status", "examine", "fill_up", "run_checks"]
