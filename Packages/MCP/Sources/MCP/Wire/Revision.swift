/// A revision of the Model Context Protocol. Its raw value is its date.
public enum Revision: String, Sendable, CaseIterable, Comparable {
    /// The first revision of MCP.
    case v2024_11_05 = "2024-11-05"
    /// The revision of 2025-03-26, which adds tool annotations, batches, and the capability
    /// `completions`.
    case v2025_03_26 = "2025-03-26"
    /// The revision of 2025-06-18, which adds titles, structured content, and elicitation.
    case v2025_06_18 = "2025-06-18"
    /// The revision of 2025-11-25, which adds icons.
    case v2025_11_25 = "2025-11-25"
    /// The revision of 2026-07-28, which removes the handshake: each request names its revision.
    case v2026_07_28 = "2026-07-28"

    /// The newest revision with a handshake (`initialize`).
    static let newestWithHandshake = Revision.v2025_11_25
    /// The revisions without a handshake, newest first.
    static let withoutHandshake = [Revision.v2026_07_28]

    /// Compares by date.
    public static func < (left: Revision, right: Revision) -> Bool {
        left.rawValue < right.rawValue
    }

    var hasAnnotations: Bool { self >= .v2025_03_26 }
    var hasCompletions: Bool { self >= .v2025_03_26 }
    var hasTitles: Bool { self >= .v2025_06_18 }
    var hasStructuredContent: Bool { self >= .v2025_06_18 }
    var hasElicitation: Bool { self >= .v2025_06_18 }
    var hasIcons: Bool { self >= .v2025_11_25 }
    var hasHandshake: Bool { self < .v2026_07_28 }
}
