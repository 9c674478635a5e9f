/// The images that the sample data refers to: squares of one color.
enum SampleImages {
    private static let files = [
        "chestnut.png": PackageResources.chestnut_png, "copper.png": PackageResources.copper_png,
        "honey.png": PackageResources.honey_png, "ink.png": PackageResources.ink_png,
        "plum.png": PackageResources.plum_png, "silver.png": PackageResources.silver_png,
        "teal.png": PackageResources.teal_png,
    ]

    /// The file names of all images.
    static let names = files.keys.sorted()

    /// The image with the file name; nil if it does not exist.
    static func png(named file: String) -> [UInt8]? { files[file] }
}
