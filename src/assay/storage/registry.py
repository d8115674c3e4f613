"""What can be stored, under which name, and which fitted attributes are the whole of it.

The names are ours: a file never says which module to load. A class is loaded when a model of it is. Everything that a
fitted model has beyond the fields listed here is computed again from them.
"""

from __future__ import annotations

from assay.storage.stored_fields import Field, Storable

INPUT = (
    Field("n_features_in_", "count"),
    Field("feature_names_in_", "names", ("D",), optional=True),
    Field("_sklearn_output_config", "output", optional=True),
)
STATISTICS = Field("statistics_", "moments")
NOTES = Field("diagnostics_", "sentences")
FROM_CLASSES = (*INPUT, Field("classes_", "labels", ("K",)), STATISTICS)
FROM_COUNTS = (*INPUT, Field("classes_", "labels", ("K",)), Field("statistics_", "counts"))
FROM_ROWS = (*INPUT, STATISTICS)
ENCODER = (
    *INPUT,
    Field("schema_", "schema"),
    Field("groups_", "groups"),
    Field("notes_", "sentences"),
    NOTES,
)

LINEAR = (
    *INPUT,
    Field("classes_", "labels", ("K",)),
    Field("_center", "numbers", ("D",)),
    Field("_weights", "numbers", ("K", "D")),
    Field("_bias", "constants", ("K",)),
    NOTES,
)
SHARES = Field("class_prior_", "priors", ("K",))
COMBINED = (
    Field("n_features_in_", "count", optional=True),  # not every part counts its columns
    Field("feature_names_in_", "names", ("D",), optional=True),
    Field("classes_", "labels", ("K",)),
    SHARES,
    NOTES,
)
TRAINED = (
    *INPUT,
    Field("classes_", "labels", ("K",)),
    SHARES,
    Field("center_", "numbers", ("D",)),
    Field("history_", "history"),
    Field("n_iter_", "tally"),
    NOTES,
)

STORABLE = {
    "LogisticRegression": Storable(
        "assay.models.linear.logistic:LogisticRegression",
        fields=(
            *LINEAR,
            SHARES,
            Field("history_", "numbers", ("P", "Q")),
            Field("n_rows_", "number"),
            Field("log_likelihood_", "number"),
            Field("_standard_error", "numbers", ("C", "W"), optional=True),
            Field("_no_inference", "text", optional=True),
        ),
    ),
    "Perceptron": Storable(
        "assay.models.linear.perceptron:Perceptron",
        fields=(
            *LINEAR,
            Field("mistakes_", "tally"),
            Field("n_iter_", "tally"),
            Field("converged_", "flag"),
        ),
    ),
    "LinearSVM": Storable(
        "assay.models.svm.linear:LinearSVM",
        fields=(
            *LINEAR,
            SHARES,
            Field("history_", "numbers", ("P", "Q")),
            Field("C_", "number"),
            Field("gap_", "number"),
            Field("support_", "places", ("S",)),
        ),
    ),
    "KNeighborsClassifier": Storable(
        "assay.models.neighbors.k_neighbors:KNeighborsClassifier",
        fields=(
            *INPUT,
            Field("classes_", "labels", ("K",)),
            SHARES,
            Field("rows_", "measured", ("N", "D")),
            Field("codes_", "codes", ("N",)),
            Field("weight_", "positive", ("N",), optional=True),
            Field("levels_", "levels", optional=True),
            NOTES,
        ),
    ),
    "KMeans": Storable(
        "assay.models.cluster.kmeans:KMeans",
        fields=(
            *INPUT,
            Field("cluster_centers_", "numbers", ("C", "D")),
            Field("labels_", "codes", ("N",)),
            Field("error_", "number"),
            Field("history_", "amounts", ("H",)),
            Field("start_errors_", "amounts", ("S",)),
            Field("n_iter_", "tally"),
            NOTES,
        ),
    ),
    "Hierarchy": Storable(
        "assay.models.cluster.hierarchy:Hierarchy",
        fields=(
            *INPUT,
            Field("tree_", "amounts", ("M", "four")),
            Field("labels_", "codes", ("N",)),
            Field("_leaf", "places", ("N",), optional=True),  # from the top down
            NOTES,
        ),
    ),
    "Recommender": Storable(
        "assay.models.recommend.recommender:Recommender", fields=(Field("ratings_", "ratings"), NOTES)
    ),
    "FeatureSearch": Storable(
        "assay.selection.features.estimator:FeatureSearch",
        fields=(
            *INPUT,
            Field("classes_", "labels", ("K",)),
            SHARES,
            Field("features_", "features", ("E",)),
            Field("columns_", "columns", ("E",)),
            Field("path_", "steps"),
            Field("model_", "model"),
            NOTES,
        ),
    ),
    "KernelSVM": Storable(
        "assay.models.svm.kernel:KernelSVM",
        fields=(
            *INPUT,
            Field("classes_", "labels", ("K",)),
            SHARES,
            Field("center_", "numbers", ("D",)),
            Field("gamma_", "reach"),
            Field("gram_dtype_", "text"),
            Field("C_", "reach"),
            Field("support_", "places", ("S",)),
            Field("support_vectors_", "numbers", ("S", "D"), optional=True),  # a given Gram matrix has none
            Field("dual_coef_", "numbers", ("P", "S")),
            Field("intercept_", "numbers", ("P",)),
            Field("history_", "numbers", ("R", "Q")),
            Field("gap_", "number"),
            Field("n_iter_", "tally"),
            NOTES,
        ),
    ),
    "SingleLayerNetwork": Storable(
        "assay.models.network.single_layer:SingleLayerNetwork",
        fields=(*TRAINED, Field("weights_", "numbers", ("U", "D")), Field("_at_center", "numbers", ("U",))),
    ),
    "NeuralNetwork": Storable(
        "assay.models.network.multi_layer:NeuralNetwork",
        fields=(
            *TRAINED,
            Field("scale_", "positive", ("D",)),
            Field("limit_", "reach", optional=True),
            Field("widths_", "places", ("L",)),
            Field("parameters_", "numbers", ("P",)),
        ),
    ),
    "OneVsRest": Storable(
        "assay.models.combine.one_vs_rest:OneVsRest", fields=(*COMBINED, Field("estimators_", "models"))
    ),
    "OneVsOne": Storable(
        "assay.models.combine.one_vs_one:OneVsOne", fields=(*COMBINED, Field("estimators_", "models"))
    ),
    "Calibrated": Storable(
        "assay.models.combine.calibrated:Calibrated",
        fields=(
            *COMBINED,
            Field("model_", "model"),
            Field("map_", "calibration"),
            Field("_floor", "number"),
            Field("_bounded", "flag"),
        ),
    ),
    "PriorClassifier": Storable("assay.models.baseline.prior:PriorClassifier", solved=FROM_CLASSES),
    "GaussianNB": Storable("assay.models.naive_bayes.gaussian:GaussianNB", solved=FROM_CLASSES),
    "CategoricalNB": Storable(
        "assay.models.naive_bayes.categorical:CategoricalNB",
        solved=(*FROM_COUNTS, Field("levels_", "levels")),
    ),
    "MultinomialNB": Storable("assay.models.naive_bayes.multinomial:MultinomialNB", solved=FROM_COUNTS),
    "BernoulliNB": Storable("assay.models.naive_bayes.bernoulli:BernoulliNB", solved=FROM_COUNTS),
    "ComplementNB": Storable("assay.models.naive_bayes.complement:ComplementNB", solved=FROM_COUNTS),
    "BinaryNB": Storable("assay.models.naive_bayes.binary:BinaryNB", solved=FROM_COUNTS),
    "PoissonNB": Storable("assay.models.naive_bayes.poisson:PoissonNB", solved=FROM_COUNTS),
    "DocumentNB": Storable(
        "assay.models.naive_bayes.mixed.text_column:DocumentNB",
        solved=(*FROM_COUNTS, Field("words_", "words", ("W",))),
    ),
    "MixedNB": Storable(
        "assay.models.naive_bayes.mixed.mixed_nb:MixedNB",
        fields=(
            *INPUT,
            Field("classes_", "labels", ("K",)),
            Field("schema_", "schema"),
            Field("kinds_", "kinds"),
            Field("notes_", "sentences"),
            Field("parts_", "parts"),
        ),
    ),
    "GaussianClassifier": Storable(
        "assay.models.gaussian.gaussian_classifier:GaussianClassifier", solved=FROM_CLASSES
    ),
    "GaussianMixtureClassifier": Storable(
        "assay.models.mixture.gaussian_mixture:GaussianMixtureClassifier",
        fields=(
            *INPUT,
            Field("classes_", "labels", ("K",)),
            Field("class_count_", "amounts", ("K",)),
            SHARES,
            Field("scale_", "amounts", ("D",)),
            Field("shares_", "amounts", ("K", "B")),
            Field("means_", "numbers", ("B", "D")),
            Field("covariances_", "numbers", ("B", "D", "D"), optional=True),  # of crossed shapes
            Field("variances_", "amounts", ("B", "D"), optional=True),  # of the others
            Field("history_", "numbers", ("T",)),
            NOTES,
        ),
    ),
    "LeastSquaresClassifier": Storable(
        "assay.models.linear.least_squares:LeastSquaresClassifier", solved=FROM_CLASSES
    ),
    "FisherDiscriminant": Storable("assay.models.projection.fisher:FisherDiscriminant", solved=FROM_CLASSES),
    "MultivariateNormal": Storable(
        "assay.models.gaussian.multivariate_normal:MultivariateNormal", solved=FROM_ROWS
    ),
    "PCA": Storable(
        "assay.models.projection.pca:PCA",
        solved=FROM_ROWS,
        fields=(  # of a fit to fewer rows than columns, which has no moments
            *INPUT,
            Field("mean_", "numbers", ("D",)),
            Field("components_", "numbers", ("E", "D")),
            Field("explained_variance_", "amounts", ("E",)),
            Field("explained_variance_ratio_", "amounts", ("E",)),
            Field("singular_values_", "amounts", ("E",)),
            Field("n_components_", "count"),
            Field("n_samples_", "number"),
            NOTES,
        ),
    ),
    "Standardize": Storable(
        "assay.models.features.scale:Standardize",
        fields=(*INPUT, Field("center_", "numbers", ("D",)), Field("scale_", "positive", ("D",))),
    ),
    "Impute": Storable(
        "assay.models.features.impute:Impute",
        fields=(
            *INPUT,
            Field("means_", "numbers", ("D",)),
            Field("_flagged", "columns", ("F",)),
            Field("_empty", "columns", ("N",)),
            NOTES,
        ),
    ),
    "FillEmpty": Storable(
        "assay.models.features.fill_empty:FillEmpty",
        fields=(*INPUT, Field("empty_", "columns", ("N",)), NOTES),
    ),
    "BasisExpansion": Storable(
        "assay.models.features.basis:BasisExpansion",
        fields=(
            *INPUT,
            Field("centers_", "numbers", ("M", "D"), optional=True),
            Field("center_mean_", "numbers", ("D",), optional=True),
            Field("center_scale_", "positive", ("D",), optional=True),
            Field("width_", "reach", optional=True),
            Field("knots_", "numbers", ("D", "Q"), optional=True),
            NOTES,
        ),
    ),
    "SelectColumns": Storable(
        "assay.models.features.select_columns:SelectColumns",
        fields=(*INPUT, Field("positions_", "columns", ("E",))),
    ),
    "SelectByInformation": Storable(
        "assay.models.features.select_by_information:SelectByInformation",
        fields=(
            *INPUT,
            Field("positions_", "columns", ("E",)),
            Field("information_", "amounts", ("D",)),
            NOTES,
        ),
    ),
    "DropRare": Storable(
        "assay.models.features.select_by_information:DropRare",
        fields=(*INPUT, Field("positions_", "columns", ("E",)), NOTES),
    ),
    "DropReference": Storable(
        "assay.models.features.drop_reference:DropReference",
        fields=(*INPUT, Field("kept_", "columns", ("E",)), Field("reference_", "columns", ("G",))),
    ),
    "ChooseWords": Storable(
        "assay.models.features.select_words:ChooseWords",
        fields=(
            *INPUT,
            Field("columns_", "columns", ("V",)),
            Field("document_counts_", "places", ("V",)),
            Field("dropped_", "tallies"),
        ),
    ),
    "TextCounts": Storable(
        "assay.models.features.text_counts:TextCounts",
        fields=(
            *INPUT,
            Field("vocabulary_", "vocabulary", ("V",)),
            Field("document_counts_", "places", ("V",)),
            Field("dropped_", "tallies"),
        ),
    ),
    "OneHot": Storable("assay.models.features.one_hot:OneHot", fields=ENCODER),
    "Levels": Storable("assay.models.features.ordinal_codes:OrdinalCodes", fields=ENCODER),
    "Typed": Storable("assay.models.features.typed_table:Typed", fields=ENCODER),
    "Unread": Storable("assay.models.features.no_columns:NoColumns", fields=ENCODER),
    "Words": Storable(
        "assay.models.features.text_columns:Words", fields=(*ENCODER, Field("vocabularies_", "vocabularies"))
    ),
    "Pipeline": Storable("sklearn.pipeline:Pipeline"),
    "TableClassifier": Storable(
        "assay.models.table.table_classifier:TableClassifier",
        fields=(
            Field("encoder_", "encoder"),
            Field("estimator_", "model"),
            Field("target_", "text", optional=True),
            Field("target_column_", "column", optional=True),
            Field("class_prior_", "priors", optional=True),
            Field("trained_prior_", "priors", optional=True),
            Field("loss_", "loss", optional=True),
            Field("fingerprint_", "fingerprint", optional=True),
            Field("_gathered", "gathered", optional=True),
        ),
    ),
}

# Estimators of scikit-learn that the catalog offers; fitted ones are stored by skops.
FOREIGN = {
    "DecisionTreeClassifier": "sklearn.tree:DecisionTreeClassifier",
    "RandomForestClassifier": "sklearn.ensemble:RandomForestClassifier",
    "HistGradientBoostingClassifier": "sklearn.ensemble:HistGradientBoostingClassifier",
}

# Plain records inside parameters and attributes, stored by their fields.
RECORDS = {
    "Group": "assay.models.features.table_encoder:Group",
    "Filling": "assay.statistics:Filling",
    "Extremes": "assay.models.features.affine_step:Extremes",
    "Gathered": "assay.models.table.partial_fit:Gathered",
    "Ratings": "assay.data.ratings.ratings:Ratings",
    "LossMatrix": "assay.decision:LossMatrix",
    "Fingerprint": "assay.models.table.fingerprint:Fingerprint",
    "Step": "assay.selection.features.select:Step",
    "SigmoidMap": "assay.decision.sigmoid:SigmoidMap",
    "IsotonicMap": "assay.decision.isotonic:IsotonicMap",
    "KFold": "assay.plans:KFold",
    "HoldOut": "assay.plans:HoldOut",
    "LeaveOneOut": "assay.plans:LeaveOneOut",
    "RandomSubsampling": "assay.plans:RandomSubsampling",
    "Bootstrap": "assay.plans:Bootstrap",
    "TrainValidationTest": "assay.plans:TrainValidationTest",
}
PLANS = ("KFold", "HoldOut", "LeaveOneOut", "RandomSubsampling", "Bootstrap", "TrainValidationTest")

# Models made of functions that somebody wrote: code, which is never stored.
WRITTEN = {"ParametricClassifier": "assay.models.parametric.parametric:ParametricClassifier"}

HOMES = {name: storable.home for name, storable in STORABLE.items()}
