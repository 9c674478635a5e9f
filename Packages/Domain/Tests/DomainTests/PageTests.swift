import Domain
import DomainTestSupport
import Testing

@Suite("Pages of a list")
struct PageTests {
    private func list(_ numbers: [UInt8]) -> [FeedImage] { numbers.map { Samples.feedImage($0) } }

    private func page(after: UInt8? = nil, limit: Int? = nil) -> Page<FeedImage> {
        Page(after: after.map { Samples.salonID($0) }, limit: limit)
    }

    @Test("a page starts after the given element and has at most its limit of elements")
    func cut() {
        let all = list([1, 2, 3, 4])
        #expect(page(limit: 2).elements(in: all) == list([1, 2]))
        #expect(page(after: 2, limit: 1).elements(in: all) == list([3]))
        #expect(page(after: 4, limit: 1).elements(in: all) == [])
        #expect(page(after: 9).elements(in: all) == nil)
        #expect(page().isWhole && !page(limit: 1).isWhole)
    }

    @Test("a page with fewer elements than its limit is the last one")
    func last() {
        #expect(page(limit: 2).isLast(list([1])) && page(limit: 2).isLast([]))
        #expect(!page(limit: 2).isLast(list([1, 2])) && page().isLast(list([1, 2])))
    }

    @Test("if the server sends the whole list, the page is extracted from it")
    func trim() {
        #expect(page(after: 1, limit: 2).trim(list([1, 2, 3, 4])) == list([2, 3]))
        #expect(page(after: 1, limit: 2).trim(list([2, 3, 4])) == list([2, 3]))
    }

    @Test("a page is appended to the cached elements before it; a first page replaces them all")
    func merge() {
        let cached = list([1, 2])
        #expect(page(limit: 1).merge(list([7]), into: cached) == list([7]))
        #expect(page(after: 2).merge(list([3, 4]), into: cached) == list([1, 2, 3, 4]))
        #expect(page(after: 1).merge(list([3]), into: cached) == list([1, 3]))
    }

    @Test("an element that moved into the page is cached once; a page after a gap is not cached")
    func mergeMoved() {
        #expect(page(after: 2).merge(list([1, 3]), into: list([1, 2])) == list([2, 1, 3]))
        #expect(page(after: 5).merge(list([6]), into: list([1, 2])) == nil)
    }
}
