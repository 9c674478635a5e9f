import WebPrimitives

extension EntityTag {
    /// The strong tag of a version.
    init(version: Int) { self.init(opaque: String(version)) }

    /// The version that the tag stands for; nil for a weak tag, and for text that no version has.
    var version: Int? {
        guard !isWeak, let version = Int(opaque), String(version) == opaque else { return nil }
        return version
    }
}
