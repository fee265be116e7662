"""What chapters need beside the models: quizzes, drills, steppers, checks."""
