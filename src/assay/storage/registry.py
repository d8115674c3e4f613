"""What can be stored, under which name.

The names are ours: a file never says which module to load. A class is loaded when a model of it is. Its fields, which
are the whole of a fitted model, stand in the class: `stored`, or `solved_from` where the others are solved again.
"""

from __future__ import annotations

from assay import _HOMES
from assay.catalog import MODULES

# Models that are no candidates of a comparison, and parts of models, by the names of their first version.
PARTS = {
    "KMeans": "assay.models.cluster.kmeans:KMeans",
    "Hierarchy": "assay.models.cluster.hierarchy:Hierarchy",
    "Recommender": "assay.models.recommend.recommender:Recommender",
    "FeatureSearch": "assay.selection.features.estimator:FeatureSearch",
    "OneVsRest": "assay.models.combine.one_vs_rest:OneVsRest",
    "OneVsOne": "assay.models.combine.one_vs_one:OneVsOne",
    "Calibrated": "assay.models.combine.calibrated:Calibrated",
    "BinaryNB": "assay.models.naive_bayes.binary:BinaryNB",
    "DocumentNB": "assay.models.naive_bayes.mixed.text_column:DocumentNB",
    "MultivariateNormal": "assay.models.gaussian.multivariate_normal:MultivariateNormal",
    "PCA": "assay.models.projection.pca:PCA",
    "Standardize": "assay.models.features.scale:Standardize",
    "Impute": "assay.models.features.impute:Impute",
    "FillEmpty": "assay.models.features.fill_empty:FillEmpty",
    "BasisExpansion": "assay.models.features.basis:BasisExpansion",
    "SelectColumns": "assay.models.features.select_columns:SelectColumns",
    "SelectByInformation": "assay.models.features.select_by_information:SelectByInformation",
    "DropRare": "assay.models.features.select_by_information:DropRare",
    "TargetStatistics": "assay.models.features.target_statistics:TargetStatistics",
    "DropReference": "assay.models.features.drop_reference:DropReference",
    "ChooseWords": "assay.models.features.select_words:ChooseWords",
    "TfIdf": "assay.models.features.tf_idf:TfIdf",
    "TextCounts": "assay.models.features.text_counts:TextCounts",
    "OneHot": "assay.models.features.one_hot:OneHot",
    "Levels": "assay.models.features.ordinal_codes:OrdinalCodes",
    "Typed": "assay.models.features.typed_table:Typed",
    "Unread": "assay.models.features.no_columns:NoColumns",
    "Words": "assay.models.features.text_columns:Words",
    "Pipeline": "sklearn.pipeline:Pipeline",
    "TableClassifier": "assay.models.table.table_classifier:TableClassifier",
}
# The classes of candidates go by their own names.
HOMES = PARTS | {
    name: f"{module}:{name}" for module in MODULES.values() if module in _HOMES for name in _HOMES[module]
}

# Estimators of scikit-learn whose fitted models are stored by skops.
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
    "TreeNodes": "assay.models.trees.nodes:TreeNodes",
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
