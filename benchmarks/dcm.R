# Fits the Dirichlet compound multinomial of a file of counts: Rscript dcm.R
# counts.csv alpha.csv. Writes a line for each package: its name, the seconds,
# and alpha; NaN and nothing, if it did not end within 200 seconds.
arguments <- commandArgs(trailingOnly = TRUE)
X <- as.matrix(read.csv(arguments[1], header = FALSE))

fits <- list(
  # With a weak gamma prior on alpha: near the maximum of the likelihood.
  DirichletMultinomial = function() {
    library(DirichletMultinomial)
    as.vector(fitted(dmn(X, 1, seed = 1)))
  },
  dirmult = function() {
    library(dirmult)
    dirmult(X, trace = FALSE)$gamma
  }
)
for (name in names(fits)) {
  if (!requireNamespace(name, quietly = TRUE)) next
  setTimeLimit(elapsed = 200)
  alpha <- NULL
  seconds <- tryCatch(
    suppressMessages(system.time(alpha <- fits[[name]]())["elapsed"]),
    error = function(e) {
      message(name, ": ", conditionMessage(e))
      NaN
    }
  )
  setTimeLimit()
  line <- paste(c(name, seconds, alpha), collapse = ",")
  cat(line, file = arguments[2], append = TRUE, fill = FALSE)
  cat("\n", file = arguments[2], append = TRUE)
}
