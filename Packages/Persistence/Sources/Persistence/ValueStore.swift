/// A store of values of one type, which are converted to bytes.
///
/// The two functions decide the format, for example those of the package JSON, or of Foundation's
/// `JSONEncoder` and `JSONDecoder`. Let `decode` accept what earlier versions of the program wrote:
/// a value that it rejects cannot be loaded or updated, only replaced or removed. Use one name
/// prefix for each type of value if several types share a store.
public struct ValueStore<Value>: Sendable {
    private let store: any SnapshotStore
    private let encode: @Sendable (Value) throws -> [UInt8]
    private let decode: @Sendable ([UInt8]) throws -> Value

    /// Creates a store of the values in `store`.
    ///
    /// - Parameters:
    ///   - store: The store of the bytes.
    ///   - encode: Converts a value to bytes.
    ///   - decode: Converts the bytes back.
    public init(
        _ store: any SnapshotStore,
        encode: @escaping @Sendable (Value) throws -> [UInt8],
        decode: @escaping @Sendable ([UInt8]) throws -> Value
    ) {
        (self.store, self.encode, self.decode) = (store, encode, decode)
    }

    /// Loads a value.
    ///
    /// - Returns: The value of `name`, or nil if it does not exist.
    /// - Throws: `invalidValue` if the bytes cannot be decoded, or an error of
    ///   ``SnapshotStore/load(_:)``.
    public func load(_ name: String) throws(StoreError) -> Value? {
        guard let snapshot = try store.load(name) else { return nil }
        return try value(of: snapshot, name)
    }

    /// Replaces the value of `name`, or creates it. It is saved with the current time.
    ///
    /// - Throws: `invalidValue` if the value cannot be encoded, or an error of
    ///   ``SnapshotStore/replace(_:with:if:)``. The old value remains then.
    public func replace(_ name: String, with value: Value) throws(StoreError) {
        try store.replace(name, with: snapshot(value, name))
    }

    /// Replaces the value of `name` with one that depends on the old value. No other writer, in any
    /// process, can write in the meantime.
    ///
    /// - Parameters:
    ///   - name: The name of the value.
    ///   - change: Receives the old value, or nil if it does not exist, and returns the new value. If
    ///     it returns nil, the old value remains. It must not write to the store's directory,
    ///     because that would deadlock. It is not called if the old value cannot be read.
    /// - Throws: The errors of ``load(_:)`` and ``replace(_:with:)``.
    public func update(_ name: String, _ change: (Value?) -> Value?) throws(StoreError) {
        var failure: StoreError?
        try store.update(name) { current in
            do throws(StoreError) {
                let old = if let current { try value(of: current, name) } else { nil as Value? }
                guard let new = change(old) else { return nil }
                return try snapshot(new, name)
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
    }

    /// Removes the value of `name`. A missing value is not an error.
    ///
    /// - Throws: The errors of ``SnapshotStore/remove(_:)``.
    public func remove(_ name: String) throws(StoreError) { try store.remove(name) }

    /// Lists all values.
    ///
    /// - Returns: The names of the values, sorted by their bytes.
    /// - Throws: The errors of ``SnapshotStore/names()``.
    public func names() throws(StoreError) -> [String] { try store.names() }

    private func value(of snapshot: Snapshot, _ name: String) throws(StoreError) -> Value {
        try convert(.load, name) { try decode(snapshot.payload) }
    }

    private func snapshot(_ value: Value, _ name: String) throws(StoreError) -> Snapshot {
        let payload = try convert(.replace, name) { try encode(value) }
        return Snapshot(payload: payload)
    }

    private func convert<R>(
        _ operation: StoreError.Operation,
        _ name: String,
        _ body: () throws -> R
    ) throws(StoreError) -> R {
        do {
            return try body()
        } catch {
            throw StoreError(operation, path: name, .invalidValue("\(error)"))
        }
    }
}
