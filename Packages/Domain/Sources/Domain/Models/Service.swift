/// A service that a salon offers, such as a haircut.
public struct Service: Sendable, Hashable {
    /// The identifier, unique in the salon.
    public var id: String
    /// The name.
    public var name: String
    /// The length in minutes, without buffers.
    public var minutes: Int
    /// The minutes before the service in which its staff member or seat is not free.
    public var bufferBefore: Int
    /// The minutes after the service in which its staff member or seat is not free.
    public var bufferAfter: Int
    /// The price; nil if the salon states none.
    public var price: Price?

    /// Creates a service.
    public init(
        id: String,
        name: String,
        minutes: Int,
        bufferBefore: Int = 0,
        bufferAfter: Int = 0,
        price: Price? = nil
    ) {
        self.id = id
        self.name = name
        self.minutes = minutes
        self.bufferBefore = bufferBefore
        self.bufferAfter = bufferAfter
        self.price = price
    }
}
