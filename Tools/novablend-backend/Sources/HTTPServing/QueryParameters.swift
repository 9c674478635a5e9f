/// The parameters of a query, in their order. Names are case-sensitive.
public struct QueryParameters: Sendable {
    private var parameters: [(name: String, value: String)]

    /// Creates a list of parameters.
    public init(_ parameters: [(name: String, value: String)] = []) {
        self.parameters = parameters
    }

    /// The first value of a parameter; nil if it is absent. A parameter without `=` has an empty
    /// value.
    public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}
