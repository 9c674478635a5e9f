import Testing

@testable import BackendKit

@Suite("The size of a page")
struct PageBudgetTests {
    private func count(limit: Int, bytes: Int) -> Int {
        var budget = PageBudget(limit: limit)
        return (0..<2_000).prefix { _ in budget.take(bytes: bytes) }.count
    }

    @Test("is limited by the number of elements")
    func elements() {
        #expect(count(limit: 1, bytes: 10) == 1)
        #expect(count(limit: 1_000, bytes: 500) == 1_000)
    }

    @Test("is limited to about 512 KiB, but a page has at least one element")
    func bytes() {
        #expect(count(limit: 1_000, bytes: 1 << 10) == 512)
        #expect(count(limit: 1_000, bytes: (1 << 10) + 1) == 512)
        #expect(count(limit: 1_000, bytes: (1 << 10) - 1) == 513)
        #expect(count(limit: 1_000, bytes: 1 << 30) == 1)
    }
}
