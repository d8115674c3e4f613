# Cross-validated ridge logistic regression, waiting for commands: `Rscript glmnet.R FOLDER`.
# FOLDER holds sizes.txt (rows, columns, classes, penalties), X.bin (doubles, column by column), y.bin and foldid.bin
# (integers, folds from 1) and lambda.bin. Every line "run" on standard input is one cv.glmnet, whose errors and weights
# are written to FOLDER.
suppressPackageStartupMessages(library(glmnet))
folder <- commandArgs(trailingOnly = TRUE)[1]
at <- function(name) file.path(folder, name)
size <- scan(at("sizes.txt"), quiet = TRUE)
doubles <- function(name, n) readBin(at(name), "double", n)
integers <- function(name, n) readBin(at(name), "integer", n)
X <- matrix(doubles("X.bin", size[1] * size[2]), size[1], size[2])
y <- factor(integers("y.bin", size[1]))
fold <- integers("foldid.bin", size[1])
lambda <- doubles("lambda.bin", size[4])
family <- if (size[3] == 2) "binomial" else "multinomial"
cat("ready", as.character(packageVersion("glmnet")), "\n")
flush(stdout())
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) && line == "run") {
  found <- cv.glmnet(X, y, family = family, alpha = 0, lambda = lambda, foldid = fold, standardize = FALSE,
                     type.measure = "class")
  writeBin(as.double(found$cvm), at("errors.bin"))
  weights <- coef(found$glmnet.fit, s = min(lambda))
  if (family == "multinomial") weights <- do.call(cbind, lapply(weights, as.matrix))
  writeBin(as.double(as.matrix(weights)), at("weights.bin"))
  cat("done\n")
  flush(stdout())
}
