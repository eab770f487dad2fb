"""The screens of the course: the list of lessons, a lesson, and the rules."""
