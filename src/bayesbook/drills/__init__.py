from bayesbook.drills.drill import Drill
