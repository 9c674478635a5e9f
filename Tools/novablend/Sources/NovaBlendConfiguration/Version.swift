/// The version of this program.
public enum Version {
    /// The version, in the format of Semantic Versioning.
    public static let current = "0.1.0"
}
