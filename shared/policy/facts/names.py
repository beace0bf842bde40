"""Slots with a fixed name: their category, and other names that models use for them."""

from __future__ import annotations

import re

from shared.models import Category

# category -> canonical key -> other names, separated by spaces
_TYPED: dict[Category, dict[str, str]] = {
    "identity": {
        "name": "full_name first_name given_name is_called",
        "home_city": "home city current_city residence_location current_location "
        "current_residence location lives_in living_in lives residence town city_of_residence "
        "place_of_residence home_location residence_city where_lives",
        "home_country": "country country_of_residence residence_country",
        "employer": "company company_name employer_name current_employer current_company "
        "organisation organization firm works_at works_for workplace place_of_work work_place "
        "employed_by",
        "occupation": "job job_title current_job position role profession works_as work career "
        "job_role vocation works_as_a employment work_title job_position",
        "age": "years_old age_years",
        "birthday": "birth_date date_of_birth birthdate dob",
        "email": "email_address e_mail mail_address",
        "time_zone": "timezone tz",
        "marital_status": "relationship_status civil_status family_status partnership_status "
        "relationship marriage_status",
        "bank": "main_bank bank_name primary_bank house_bank my_bank banking_provider "
        "bank_account_provider account_provider main_account_provider",
        "field_of_study": "study_subject subject_of_study course_of_study university_course "
        "degree_course degree_program degree_programme program_of_study major college_major "
        "university_major studies studying study_program study_field",
        "university": "college university_name school_of_study studies_at",
        "school_year": "grade school_grade grade_level class_year year_of_study study_year",
        "family_doctor": "general_practitioner gp primary_care_physician primary_care_doctor "
        "physician doctor doctor_name house_doctor",
        "native_language": "mother_tongue first_language native_tongue",
        "programming_language": "coding_language main_programming_language "
        "primary_programming_language preferred_programming_language programs_in codes_in",
        "code_editor": "text_editor ide preferred_editor",
        "operating_system": "os computer_os desktop_os",
        "height": "body_height",
        "weight": "body_weight current_weight",
        "shoe_size": "shoes_size",
        "salary": "income monthly_income monthly_salary gross_salary annual_salary",
        "blood_type": "blood_group",
        "pronouns": "preferred_pronouns",
        "nationality": "citizenship",
        "religion": "faith religious_belief",
        "sports_team": "favorite_team favourite_team supported_team football_club football_team "
        "soccer_club soccer_team supports_team favorite_club favourite_club",
    },
    "constraint": {
        "diet": "eating_habits eating_style dietary_habits diet_preference dietary_restriction "
        "dietary_restrictions dietary_preference diet_type",
        "allergy": "allergies allergic_to allergic food_allergy",
        "intolerance": "intolerances food_intolerance",
        "medication": "medications medicine takes_medication",
        "budget": "budget_limit max_budget spending_limit",
        "working_hours": "work_hours work_schedule working_time office_hours shift_hours "
        "end_of_shift end_of_work work_end_time",
        "availability": "available_times available_days free_days",
    },
    "instruction": {
        "response_language": "answer_language reply_language respond_in answer_in",
        "response_length": "answer_length reply_length verbosity length_of_answers",
        "spelling": "spelling_style english_variant english_spelling spelling_variant",
        "units": "unit_system measurement_units measurement_system",
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
SINGLE_CONSTRAINTS = frozenset(("diet", "budget", "deadline", "working_hours", "availability"))

#: Keys of what was, will be, or is planned.
_TIMED_KEY = re.compile(
    r"birth|born|maiden|hometown|childhood|origin|grew|former|previous|past|ex_|_ex|history|education|"
    r"school|studied|degree|plan|next|upcoming|future|trip|travel|goal|event|date|appointment|"
    r"deadline|exam|schedule|visit|vacation|holiday|moving|project|moved|since|years"
)


def is_timed(key: str) -> bool:
    """Whether a key is about what was, will be, or is planned."""
    return bool(_TIMED_KEY.search(key))
