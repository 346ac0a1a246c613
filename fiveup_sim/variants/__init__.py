"""What a change of the rules does: a base and its variants, played on the same deals and compared."""

from fiveup_sim.variants.compare import compare_rules
from fiveup_sim.variants.luck import Luck, luck
from fiveup_sim.variants.plan import VariantPlan, plan_variants

__all__ = ["Luck", "VariantPlan", "compare_rules", "luck", "plan_variants"]
