"""What scikit-learn calls a parameter, and what to write here: clauses that end a sentence.

The objective of every penalised model is the mean loss plus l2/2 times the squared weights, hence 1/(C·N).
"""

FROM_C = "write l2 = 1/(C·N), with N the number of training rows."
PER_ROW = "write l2 = alpha/N, with N the number of training rows."
SAME_L2 = "write l2, which has the same meaning."
INTERCEPT = "an intercept is always fitted and never penalised; leave it out."
UNTIL_TOL = "the solver stops when it has reached tol; leave it out."
ONLY_L2 = "the penalty is l2; leave it out."
SMOOTHING = "write smoothing."
CLASS_PRIOR = "write priors."
FIT_PRIOR = "write priors='ml' for the proportions of the classes, priors='uniform' for equal ones."
NOT_DRAWN = "nothing is drawn at random; leave it out."
EPOCHS = "write epochs."
RATE = "write learning_rate."
NO_EARLY_STOP = "training lasts for the given number of epochs; leave it out."
LEAVE_OUT = "leave it out."
UNSEEN = "every category is found in the training rows; leave it out."

COUNTS = {"alpha": SMOOTHING, "class_prior": CLASS_PRIOR, "fit_prior": FIT_PRIOR}
DOCUMENTS = {
    "max_df": "write max_documents.",
    "min_df": "write min_documents.",
    "max_features": "write max_words.",
}

MODELS: dict[str, dict[str, str]] = {
    "": {
        "n_jobs": "set the environment variable ASSAY_THREADS, or n_jobs of evaluate.",
        "verbose": "progress is shown by evaluate, tune and compare; leave it out.",
        "warm_start": "every fit starts from the beginning; leave it out.",
        "copy": "rows are never changed; leave it out.",
        "copy_x": "rows are never changed; leave it out.",
        "copy_X": "rows are never changed; leave it out.",
        "random_state": NOT_DRAWN,
        "fit_intercept": INTERCEPT,
        "sample_weight": "sample weights are given to fit.",
        "cv": "write plan.",
    },
    "LogisticRegression": {
        "C": FROM_C,
        "penalty": "write l1 or l2, the strength of each.",
        "l1_ratio": "write l1 and l2, the strength of each.",
        "solver": "the solver is chosen by Assay; leave it out.",
        "max_iter": UNTIL_TOL,
        "dual": LEAVE_OUT,
        "intercept_scaling": INTERCEPT,
        "multi_class": "several classes are always fitted together; leave it out.",
    },
    "LinearSVM": {
        "C": FROM_C,
        "penalty": ONLY_L2,
        "loss": "write surrogate.",
        "dual": LEAVE_OUT,
        "max_iter": "the solver stops when it has reached tol; the one by stochastic gradient descent takes epochs.",
        "multi_class": "several classes are fitted one against the rest; leave it out.",
        "intercept_scaling": INTERCEPT,
        "alpha": SAME_L2,
    },
    "KernelSVM": {
        "probability": "put the model into Calibrated, which gives it posteriors.",
        "max_iter": UNTIL_TOL,
        "cache_size": "memory is taken from ASSAY_MEMORY; leave it out.",
        "shrinking": LEAVE_OUT,
        "decision_function_shape": "decision_function has one column per class; leave it out.",
        "break_ties": "equal votes are decided by the margins; leave it out.",
    },
    "Perceptron": {
        "penalty": "there is no penalty; LinearSVM has one.",
        "alpha": "there is no penalty; LinearSVM has one, l2.",
        "l1_ratio": "there is no penalty; LinearSVM has one, l2.",
        "max_iter": EPOCHS,
        "eta0": RATE,
        "tol": "training ends with an epoch without mistakes, or with epochs.",
        "early_stopping": NO_EARLY_STOP,
        "validation_fraction": NO_EARLY_STOP,
        "n_iter_no_change": NO_EARLY_STOP,
    },
    "GaussianNB": {
        "var_smoothing": "write variance_floor, the least variance as a share of that column's total variance."
    },
    "MultinomialNB": {**COUNTS, "force_alpha": "smoothing is taken as it is; leave it out."},
    "BernoulliNB": {
        **COUNTS,
        "force_alpha": "smoothing is taken as it is; leave it out.",
        "binarize": "write threshold.",
    },
    "ComplementNB": {**COUNTS, "force_alpha": "smoothing is taken as it is; leave it out."},
    "CategoricalNB": {
        **COUNTS,
        "force_alpha": "smoothing is taken as it is; leave it out.",
        "min_categories": UNSEEN,
    },
    "GaussianClassifier": {
        "reg_param": "write shrinkage, which moves a covariance matrix towards a multiple of the identity.",
        "solver": "the solver is chosen by Assay; leave it out.",
        "store_covariance": "covariance matrices are always kept; leave it out.",
        "tol": "write variance_floor, the least variance of a direction.",
        "covariance_estimator": "write covariance, blend or shrinkage.",
    },
    "FisherDiscriminant": {
        "solver": "the solver is chosen by Assay; leave it out.",
        "shrinkage": "GaussianClassifier(covariance='shared') takes shrinkage.",
        "store_covariance": LEAVE_OUT,
        "tol": "write variance_floor, the least variance of a direction.",
        "covariance_estimator": "GaussianClassifier(covariance='shared') takes shrinkage.",
    },
    "LeastSquaresClassifier": {
        "alpha": PER_ROW,
        "class_weight": "sample weights are given to fit.",
        "max_iter": "the solution is exact; leave it out.",
        "tol": "the solution is exact; leave it out.",
        "solver": "the solution is exact; leave it out.",
        "positive": LEAVE_OUT,
    },
    "GaussianMixtureClassifier": {
        "covariance_type": "write covariance.",
        "reg_covar": "write variance_floor.",
        "n_init": "write n_starts.",
        "init_params": "components start from k-means; leave it out.",
        "weights_init": "components start from k-means; leave it out.",
        "means_init": "components start from k-means; leave it out.",
        "precisions_init": "components start from k-means; leave it out.",
        "verbose_interval": LEAVE_OUT,
    },
    "KNeighborsClassifier": {
        "p": "write metric='manhattan' (p of 1) or metric='euclidean' (p of 2).",
        "leaf_size": LEAVE_OUT,
        "metric_params": "write metric.",
    },
    "NeuralNetwork": {
        "hidden_layer_sizes": "write hidden, the units of each hidden layer, such as hidden=(100,).",
        "alpha": "write l2, which is alpha divided by the number of rows in a batch.",
        "learning_rate_init": RATE,
        "max_iter": EPOCHS,
        "shuffle": "rows are always shuffled; leave it out.",
        "tol": "write patience together with early_stopping=True.",
        "validation_fraction": "write validation_share.",
        "n_iter_no_change": "write patience.",
        "nesterovs_momentum": "write solver='momentum' and momentum.",
        "power_t": "the learning rate is constant; leave it out.",
        "beta_1": "solver='adam' uses the usual constants; leave it out.",
        "beta_2": "solver='adam' uses the usual constants; leave it out.",
        "epsilon": "solver='adam' uses the usual constants; leave it out.",
        "max_fun": EPOCHS,
    },
    "SingleLayerNetwork": {
        "loss": "write surrogate and output.",
        "penalty": ONLY_L2,
        "alpha": SAME_L2,
        "l1_ratio": ONLY_L2,
        "max_iter": EPOCHS,
        "eta0": RATE,
        "shuffle": "solver='stochastic' always shuffles the rows; leave it out.",
        "power_t": LEAVE_OUT,
        "epsilon": LEAVE_OUT,
        "average": LEAVE_OUT,
        "early_stopping": NO_EARLY_STOP,
        "validation_fraction": NO_EARLY_STOP,
        "n_iter_no_change": NO_EARLY_STOP,
    },
    "KMeans": {"n_init": "write n_starts.", "init": "write start.", "algorithm": LEAVE_OUT},
    "Hierarchy": {
        "memory": LEAVE_OUT,
        "connectivity": LEAVE_OUT,
        "compute_full_tree": "the tree is always whole; leave it out.",
        "compute_distances": "distances are always kept; leave it out.",
        "distance_threshold": "write n_clusters.",
    },
    "PCA": {
        "whiten": "put Standardize behind it.",
        "svd_solver": "the solution is exact; leave it out.",
        "tol": "the solution is exact; leave it out.",
        "iterated_power": "the solution is exact; leave it out.",
        "n_oversamples": "the solution is exact; leave it out.",
        "power_iteration_normalizer": "the solution is exact; leave it out.",
    },
    "Calibrated": {"ensemble": "one model is fitted to all rows; leave it out."},
    "FeatureSearch": {
        "n_features_to_select": "write n_features.",
        "direction": "write search='forward', 'backward' or 'floating'.",
        "scoring": "the search goes by the error.",
        "tol": "write rule='min' or rule='one_se'.",
    },
    "Standardize": {
        "with_mean": "write method='zscore' or method='range'.",
        "with_std": "write method='zscore' or method='range'.",
    },
    "Impute": {
        "strategy": "the mean of the training rows is filled in; leave it out.",
        "add_indicator": "write indicator.",
        "missing_values": "missing values are NaN; leave it out.",
        "fill_value": "the mean of the training rows is filled in; leave it out.",
        "keep_empty_features": "every column stays; leave it out.",
    },
    "OneHot": {
        "categories": UNSEEN,
        "drop": "put DropReference behind it.",
        "sparse_output": LEAVE_OUT,
        "dtype": LEAVE_OUT,
        "handle_unknown": "an unseen category has 0 in every column; leave it out.",
        "min_frequency": "put DropRare behind it.",
        "max_categories": "put DropRare behind it.",
        "feature_name_combiner": LEAVE_OUT,
    },
    "TextCounts": {**DOCUMENTS, "analyzer": "write tokens='words' or tokens='characters'."},
    "ChooseWords": DOCUMENTS,
    "PriorClassifier": {
        "strategy": "write priors.",
        "constant": "write priors with 1 for that class.",
    },
    "BasisExpansion": {
        "interaction_only": "write kind='interaction'.",
        "include_bias": "models have an intercept of their own; leave it out.",
        "order": LEAVE_OUT,
    },
    "SelectByInformation": {"k": "write count.", "score_func": "write kind."},
}

FUNCTIONS: dict[str, str] = {
    "cv": "write plan: a plan such as KFold(10), a number of folds, or any splitter of scikit-learn's.",
    "scoring": "the result has every metric (error, log_loss, brier, auc, mean_loss); to choose by costs, write loss.",
    "estimator": "the first argument is called model.",
    "param_grid": "write each range as a keyword of its own, such as l2=[0.01, 0.1, 1.0].",
    "param_distributions": "write each range as a keyword of its own, such as l2=[0.01, 0.1, 1.0].",
    "train_sizes": "write sizes.",
    "verbose": "write progress=True or progress=False.",
    "fit_params": "write sample_weight or groups.",
    "params": "write sample_weight or groups.",
    "refit": "the chosen model is always fitted to all rows; leave it out.",
}
