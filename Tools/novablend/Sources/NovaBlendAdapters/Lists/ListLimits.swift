/// The limits of a list, which a server may send in several pages.
package struct ListLimits: Sendable, Hashable {
    /// The maximum size of all pages together, in bytes.
    package var maximumBytes: Int
    /// The maximum number of pages. It ends a list whose next page always has a new URL.
    package var maximumPages = 10_000
    /// How long after the first request further pages are still requested.
    package var totalTimeout = Duration.seconds(300)

    /// Creates the default limits with this maximum size.
    package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// The advice for a list that is too large.
    static let remedy = "--max-response BYTES allows more"
}
