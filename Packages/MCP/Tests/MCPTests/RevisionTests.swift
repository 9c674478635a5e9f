import Testing

@testable import MCP

@Suite("Features of revisions")
struct RevisionTests {
    private func revisions(_ feature: (Revision) -> Bool) -> [String] {
        Revision.allCases.filter(feature).map(\.rawValue)
    }

    @Test("each feature is enabled from the revision that introduced it")
    func features() {
        #expect(
            revisions(\.hasHandshake) == ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
        )
        let since2025 = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
        #expect(revisions(\.hasAnnotations) == since2025)
        #expect(revisions(\.hasCompletions) == since2025)
        #expect(revisions(\.hasTitles) == Array(since2025[1...]))
        #expect(revisions(\.hasStructuredContent) == Array(since2025[1...]))
        #expect(revisions(\.hasElicitation) == Array(since2025[1...]))
        #expect(revisions(\.hasIcons) == Array(since2025[2...]))
    }
}
