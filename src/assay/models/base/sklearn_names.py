"""What scikit-learn calls a parameter, and what to write here: sentences behind "... has no parameter ...".

The objective of every penalised model is the mean loss plus l2/2 times the squared weights, hence 1/(C·N).
"""

FROM_C = "Write l2 = 1/(C·N), with N the number of training rows."
PER_ROW = "Write l2 = alpha/N, with N the number of training rows."
SAME_L2 = "Write l2, which has the same meaning."
INTERCEPT = "An intercept is always fitted and never penalised; leave it out."
UNTIL_TOL = "The solver stops when it has reached tol; leave it out."
ONLY_L2 = "The penalty is l2; leave it out."
SMOOTHING = "Write smoothing."
CLASS_PRIOR = "Write priors."
FIT_PRIOR = "Write priors='ml' for the proportions of the classes, priors='uniform' for equal ones."
NOT_DRAWN = "Nothing is drawn at random; leave it out."
EPOCHS = "Write epochs."
RATE = "Write learning_rate."
NO_EARLY_STOP = "Training lasts for the given number of epochs; leave it out."
LEAVE_OUT = "Leave it out."
UNSEEN = "Every category is found in the training rows; leave it out."

COUNTS = {"alpha": SMOOTHING, "class_prior": CLASS_PRIOR, "fit_prior": FIT_PRIOR}
DOCUMENTS = {
    "max_df": "Write max_documents.",
    "min_df": "Write min_documents.",
    "max_features": "Write max_words.",
}
EARLY_STOP = "Boosting of more than 10 000 rows stops where a tenth of them no longer gains; leave it out."
TREES = {
    "criterion": "Divisions reduce the Gini impurity; leave it out.",
    "splitter": "Every division is the best one; leave it out.",
    "min_samples_split": "Write min_samples_leaf.",
    "min_weight_fraction_leaf": "Write min_samples_leaf.",
    "max_features": "Every division looks at all columns; trees of a forest draw some.",
    "min_impurity_decrease": "Write max_leaf_nodes, the divisions that gain most.",
    "ccp_alpha": "Trees of a forest are not pruned; leave it out.",
    "class_weight": "Give sample weights to fit.",
    "monotonic_cst": LEAVE_OUT,
}

MODELS: dict[str, dict[str, str]] = {
    "": {
        "n_jobs": "Set the environment variable ASSAY_THREADS, or n_jobs of evaluate.",
        "verbose": "Progress is shown by evaluate, tune and compare; leave it out.",
        "warm_start": "Every fit starts from the beginning; leave it out.",
        "copy": "Rows are never changed; leave it out.",
        "copy_x": "Rows are never changed; leave it out.",
        "copy_X": "Rows are never changed; leave it out.",
        "random_state": NOT_DRAWN,
        "fit_intercept": INTERCEPT,
        "sample_weight": "Sample weights are given to fit.",
        "cv": "Write plan.",
    },
    "LogisticRegression": {
        "C": FROM_C,
        "penalty": "Write l1 or l2, the strength of each.",
        "l1_ratio": "Write l1 and l2, the strength of each.",
        "solver": "The solver is chosen by Assay; leave it out.",
        "max_iter": UNTIL_TOL,
        "dual": LEAVE_OUT,
        "intercept_scaling": INTERCEPT,
        "multi_class": "Several classes are always fitted together; leave it out.",
    },
    "LinearSVM": {
        "C": FROM_C,
        "penalty": ONLY_L2,
        "loss": "Write surrogate.",
        "dual": LEAVE_OUT,
        "max_iter": "The solver stops when it has reached tol; the one by stochastic gradient descent takes epochs.",
        "multi_class": "Several classes are fitted one against the rest; leave it out.",
        "intercept_scaling": INTERCEPT,
        "alpha": SAME_L2,
    },
    "KernelSVM": {
        "probability": "Put the model into Calibrated, which gives it posteriors.",
        "max_iter": UNTIL_TOL,
        "cache_size": "Memory is taken from ASSAY_MEMORY; leave it out.",
        "shrinking": LEAVE_OUT,
        "decision_function_shape": "There is always one column of decision_function per class; leave it out.",
        "break_ties": "Equal votes are decided by the margins; leave it out.",
    },
    "DecisionTreeClassifier": TREES,
    "RandomForestClassifier": {
        **TREES,
        "bootstrap": "Rows are always drawn with replacement; leave it out.",
        "max_samples": "As many rows are drawn as there are; leave it out.",
        "oob_score": "Errors are estimated by folds or by Bootstrap; leave it out.",
    },
    "HistGradientBoostingClassifier": {
        "loss": "The loss is the log loss; leave it out.",
        "max_depth": "Write max_leaf_nodes.",
        "max_features": "Every division looks at all columns; leave it out.",
        "max_bins": "There are 255 bins; leave it out.",
        "categorical_features": "Codes of categories are taken as numbers; leave it out.",
        "monotonic_cst": LEAVE_OUT,
        "interaction_cst": LEAVE_OUT,
        "early_stopping": EARLY_STOP,
        "scoring": EARLY_STOP,
        "validation_fraction": EARLY_STOP,
        "n_iter_no_change": EARLY_STOP,
        "tol": EARLY_STOP,
        "class_weight": "Give sample weights to fit.",
    },
    "Perceptron": {
        "penalty": "There is no penalty; LinearSVM has one.",
        "alpha": "There is no penalty; LinearSVM has one, l2.",
        "l1_ratio": "There is no penalty; LinearSVM has one, l2.",
        "max_iter": EPOCHS,
        "eta0": RATE,
        "tol": "Training ends with an epoch without mistakes, or with epochs.",
        "early_stopping": NO_EARLY_STOP,
        "validation_fraction": NO_EARLY_STOP,
        "n_iter_no_change": NO_EARLY_STOP,
    },
    "GaussianNB": {
        "var_smoothing": "Write variance_floor, the least variance as a proportion of that column's total variance."
    },
    "MultinomialNB": {**COUNTS, "force_alpha": "Smoothing is taken as it is; leave it out."},
    "BernoulliNB": {
        **COUNTS,
        "force_alpha": "Smoothing is taken as it is; leave it out.",
        "binarize": "Write threshold.",
    },
    "ComplementNB": {**COUNTS, "force_alpha": "Smoothing is taken as it is; leave it out."},
    "CategoricalNB": {
        **COUNTS,
        "force_alpha": "Smoothing is taken as it is; leave it out.",
        "min_categories": UNSEEN,
    },
    "GaussianClassifier": {
        "reg_param": "Write shrinkage, which moves a covariance matrix towards a multiple of the identity.",
        "solver": "The solver is chosen by Assay; leave it out.",
        "store_covariance": "Covariance matrices are always kept; leave it out.",
        "tol": "Write variance_floor, the least variance of a direction.",
        "covariance_estimator": "Write covariance, blend or shrinkage.",
    },
    "FisherDiscriminant": {
        "solver": "The solver is chosen by Assay; leave it out.",
        "shrinkage": "GaussianClassifier(covariance='shared') takes shrinkage.",
        "store_covariance": LEAVE_OUT,
        "tol": "Write variance_floor, the least variance of a direction.",
        "covariance_estimator": "GaussianClassifier(covariance='shared') takes shrinkage.",
    },
    "LeastSquaresClassifier": {
        "alpha": PER_ROW,
        "class_weight": "Sample weights are given to fit.",
        "max_iter": "The solution is exact; leave it out.",
        "tol": "The solution is exact; leave it out.",
        "solver": "The solution is exact; leave it out.",
        "positive": LEAVE_OUT,
    },
    "GaussianMixtureClassifier": {
        "covariance_type": "Write covariance.",
        "reg_covar": "Write variance_floor.",
        "n_init": "Write n_starts.",
        "init_params": "Components start from k-means; leave it out.",
        "weights_init": "Components start from k-means; leave it out.",
        "means_init": "Components start from k-means; leave it out.",
        "precisions_init": "Components start from k-means; leave it out.",
        "verbose_interval": LEAVE_OUT,
    },
    "KNeighborsClassifier": {
        "p": "Write metric='manhattan' (p of 1) or metric='euclidean' (p of 2).",
        "leaf_size": LEAVE_OUT,
        "metric_params": "Write metric.",
    },
    "NeuralNetwork": {
        "hidden_layer_sizes": "Write hidden, the units of each hidden layer, such as hidden=(100,).",
        "alpha": "Write l2, which is alpha divided by the number of rows in a batch.",
        "learning_rate_init": RATE,
        "max_iter": EPOCHS,
        "shuffle": "Rows are always shuffled; leave it out.",
        "tol": "Write patience together with early_stopping=True.",
        "validation_fraction": "Write validation_share.",
        "n_iter_no_change": "Write patience.",
        "nesterovs_momentum": "Write solver='momentum' and momentum.",
        "power_t": "The learning rate is constant; leave it out.",
        "beta_1": "With solver='adam' the usual constants are used; leave it out.",
        "beta_2": "With solver='adam' the usual constants are used; leave it out.",
        "epsilon": "With solver='adam' the usual constants are used; leave it out.",
        "max_fun": EPOCHS,
    },
    "SingleLayerNetwork": {
        "loss": "Write surrogate and output.",
        "penalty": ONLY_L2,
        "alpha": SAME_L2,
        "l1_ratio": ONLY_L2,
        "max_iter": EPOCHS,
        "eta0": RATE,
        "shuffle": "With solver='stochastic' the rows are always shuffled; leave it out.",
        "power_t": LEAVE_OUT,
        "epsilon": LEAVE_OUT,
        "average": LEAVE_OUT,
        "early_stopping": NO_EARLY_STOP,
        "validation_fraction": NO_EARLY_STOP,
        "n_iter_no_change": NO_EARLY_STOP,
    },
    "KMeans": {"n_init": "Write n_starts.", "init": "Write start.", "algorithm": LEAVE_OUT},
    "Hierarchy": {
        "memory": LEAVE_OUT,
        "connectivity": LEAVE_OUT,
        "compute_full_tree": "The tree is always whole; leave it out.",
        "compute_distances": "Distances are always kept; leave it out.",
        "distance_threshold": "Write n_clusters.",
    },
    "PCA": {
        "whiten": "Put Standardize after it.",
        "svd_solver": "The solution is exact; leave it out.",
        "tol": "The solution is exact; leave it out.",
        "iterated_power": "The solution is exact; leave it out.",
        "n_oversamples": "The solution is exact; leave it out.",
        "power_iteration_normalizer": "The solution is exact; leave it out.",
    },
    "Calibrated": {"ensemble": "One model is fitted to all rows; leave it out."},
    "FeatureSearch": {
        "n_features_to_select": "Write n_features.",
        "direction": "Write search='forward', 'backward' or 'floating'.",
        "scoring": "The search minimises the error; leave it out.",
        "tol": "Write rule='min' or rule='one_se'.",
    },
    "Standardize": {
        "with_mean": "Write method='zscore' or method='range'.",
        "with_std": "Write method='zscore' or method='range'.",
    },
    "Impute": {
        "strategy": "The mean of the training rows is filled in; leave it out.",
        "add_indicator": "Write indicator.",
        "missing_values": "Missing values are NaN; leave it out.",
        "fill_value": "The mean of the training rows is filled in; leave it out.",
        "keep_empty_features": "Every column stays; leave it out.",
    },
    "OneHot": {
        "categories": UNSEEN,
        "drop": "Put DropReference after it.",
        "sparse_output": LEAVE_OUT,
        "dtype": LEAVE_OUT,
        "handle_unknown": "An unseen category has 0 in every column; leave it out.",
        "min_frequency": "Put DropRare after it.",
        "max_categories": "Put DropRare after it.",
        "feature_name_combiner": LEAVE_OUT,
    },
    "TextCounts": {**DOCUMENTS, "analyzer": "Write tokens='words' or tokens='characters'."},
    "ChooseWords": DOCUMENTS,
    "TfIdf": {
        "norm": "Write normalize=True for 'l2', and normalize=False for None.",
        "sublinear_tf": "Write sublinear.",
        "use_idf": LEAVE_OUT,
        "smooth_idf": LEAVE_OUT,
    },
    "PriorClassifier": {
        "strategy": "Write priors.",
        "constant": "Write priors with 1 for that class.",
    },
    "BasisExpansion": {
        "interaction_only": "Write kind='interaction'.",
        "include_bias": "Models have an intercept of their own; leave it out.",
        "order": LEAVE_OUT,
    },
    "SelectByInformation": {"k": "Write count.", "score_func": "Write kind."},
}

FUNCTIONS: dict[str, str] = {
    "cv": "Write plan: a plan such as KFold(10), a number of folds, or any splitter of scikit-learn's.",
    "scoring": "The result has every metric (error, log_loss, brier, auc, mean_loss); to choose by costs, write loss.",
    "estimator": "The first argument is called model.",
    "param_grid": "Write each range as a keyword of its own, such as l2=[0.01, 0.1, 1.0].",
    "param_distributions": "Write each range as a keyword of its own, such as l2=[0.01, 0.1, 1.0].",
    "train_sizes": "Write sizes.",
    "verbose": "Write progress=True or progress=False.",
    "fit_params": "Write sample_weight or groups.",
    "params": "Write sample_weight or groups.",
    "refit": "The chosen model is always fitted to all rows; leave it out.",
}
