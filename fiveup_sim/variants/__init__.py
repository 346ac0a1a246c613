"""What a change of the rules does: a base and its variants, played on the same deals and compared."""

from fiveup_sim.variants.answer import answer
from fiveup_sim.variants.compare import RuleEffects, compare_rules
from fiveup_sim.variants.plan import VariantPlan, plan_variants

__all__ = ["RuleEffects", "VariantPlan", "answer", "compare_rules", "plan_variants"]
