/// The version of this program.
public enum Version {
    /// The version, by the rules of semantic versioning.
    public static let current = "0.1.0"
}
