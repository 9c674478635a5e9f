import Domain
import DomainTestSupport
import Testing

@Suite("Pages of a list")
struct PageTests {
    private func list(_ numbers: [UInt8]) -> [FeedImage] { numbers.map { Samples.feedImage($0) } }

    private func page(after: UInt8? = nil, limit: Int? = nil) -> Page<FeedImage> {
        Page(after: after.map { Samples.salonID($0) }, limit: limit)
    }

    @Test("a page begins after the element that it names, and has no more than its limit")
    func cut() {
        let all = list([1, 2, 3, 4])
        #expect(page(limit: 2).cut(from: all) == list([1, 2]))
        #expect(page(after: 2, limit: 1).cut(from: all) == list([3]))
        #expect(page(after: 4, limit: 1).cut(from: all) == [])
        #expect(page(after: 9).cut(from: all) == nil)
        #expect(page().isWhole && !page(limit: 1).isWhole)
    }

    @Test("a page that is not full is the last")
    func last() {
        #expect(page(limit: 2).isLast(list([1])) && page(limit: 2).isLast([]))
        #expect(!page(limit: 2).isLast(list([1, 2])) && page().isLast(list([1, 2])))
    }

    @Test("of a server that knows no pages the page is cut here")
    func trim() {
        #expect(page(after: 1, limit: 2).trim(list([1, 2, 3, 4])) == list([2, 3]))
        #expect(page(after: 1, limit: 2).trim(list([2, 3, 4])) == list([2, 3]))
    }

    @Test("a page follows what is kept before it; a first page replaces it all")
    func merge() {
        let kept = list([1, 2])
        #expect(page(limit: 1).merge(list([7]), into: kept) == list([7]))
        #expect(page(after: 2).merge(list([3, 4]), into: kept) == list([1, 2, 3, 4]))
        #expect(page(after: 1).merge(list([3]), into: kept) == list([1, 3]))
    }

    @Test("an element that moved into the page is kept once; a page after a gap is not kept")
    func mergeMoved() {
        #expect(page(after: 2).merge(list([1, 3]), into: list([1, 2])) == list([2, 1, 3]))
        #expect(page(after: 5).merge(list([6]), into: list([1, 2])) == nil)
    }
}
