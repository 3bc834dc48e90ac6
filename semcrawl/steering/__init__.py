"""What steers a crawl from its graph: policies, hubs and authorities, alarms, better seeds."""

from semcrawl.steering.distiller import Distillation, distill, record
from semcrawl.steering.policies import Policy, PolicyRow, RowForm, load_policy

__all__ = ["Distillation", "Policy", "PolicyRow", "RowForm", "distill", "load_policy", "record"]
