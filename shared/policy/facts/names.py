"""Slots with a fixed name: their category, and other names that models use for them."""

from __future__ import annotations

from shared.models import Category

# category -> canonical key -> other names, separated by spaces
_TYPED: dict[Category, dict[str, str]] = {
    "identity": {
        "name": "full_name first_name given_name is_called",
        "home_city": "home city location lives_in living_in lives residence town city_of_residence "
        "place_of_residence home_location residence_city where_lives",
        "home_country": "country country_of_residence residence_country",
        "employer": "company works_at works_for workplace place_of_work work_place employed_by",
        "occupation": "job job_title profession works_as work career job_role",
        "age": "years_old age_years",
        "birthday": "birth_date date_of_birth birthdate dob",
        "email": "email_address e_mail mail_address",
        "time_zone": "timezone tz",
    },
    "constraint": {
        "diet": "dietary_restriction dietary_restrictions dietary_preference diet_type",
        "allergy": "allergies allergic_to allergic food_allergy",
        "intolerance": "intolerances food_intolerance",
        "medication": "medications medicine takes_medication",
        "budget": "budget_limit max_budget spending_limit",
    },
    "instruction": {
        "response_language": "answer_language reply_language respond_in answer_in",
        "response_length": "answer_length reply_length verbosity",
    },
}

CATEGORY_OF: dict[str, Category] = {key: cat for cat, slots in _TYPED.items() for key in slots}
CANONICAL = {
    alias: key
    for slots in _TYPED.values()
    for key, aliases in slots.items()
    for alias in (key, *aliases.split())
}

# Keys with several values: each value has its own key, such as `allergy_peanuts`.
PLURAL = frozenset(
    ("allergy", "intolerance", "medication", "always", "never", "avoid", "rule", "instruction")
)
# Constraints that can only have one value at a time.
SINGLE_CONSTRAINTS = frozenset(("diet", "budget", "deadline", "working_hours"))
