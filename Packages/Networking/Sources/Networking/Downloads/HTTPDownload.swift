/// A finished download.
public struct HTTPDownload: Sendable, Hashable {
    /// The head of the last response. Its status is 200, 206 if the rest of the file was requested,
    /// or 416 if all bytes had arrived before. Its metrics are those of the whole transfer.
    public var response: HTTPResponse
    /// The size of the file in bytes.
    public var size: Int
    /// How many of the bytes are from an earlier download that was interrupted.
    public var resumedBytes: Int
}
