/// The text that is being encoded, and the position in the value.
///
/// Values are written directly into the text. `encode(to:)` does not say when a container is
/// complete, but it returns before the next value of the enclosing container is encoded. Only a
/// nested container or a `superEncoder` can be used later. So these get their own context, whose
/// text is inserted at the end.
final class EncodingContext {
    /// What the current value has become so far.
    enum Form { case nothing, object, array, single }

    // Exclusive access is not checked, because the check takes a seventh of the encoding time: no
    // method of the writer that is used here calls code that could use this context.
    @exclusivity(unchecked) var writer = JSONWriter()
    private(set) var path: [PathStep]
    private var form = Form.nothing
    private var depth: Int
    private var children: [(offset: Int, context: EncodingContext)] = []
    /// An error that occurred where `Encoder` cannot throw. ``finish()`` throws it.
    private var failure: JSONError?

    private static let maximumDepth = 512

    init(path: [PathStep], depth: Int) { (self.path, self.depth) = (path, depth) }

    /// Encodes the top-level value.
    func encode(_ value: some Encodable) throws {
        try value.encode(to: ValueEncoder(context: self))
        end()
    }

    /// Encodes a value within the current value. If this throws, nothing has been written.
    ///
    /// - Parameter step: The key or index of the value; nil if it stands for the current value.
    func encode(_ value: some Encodable, at step: PathStep?) throws {
        guard depth < Self.maximumDepth else { throw Self.tooDeep }
        let start = (writer: writer.checkpoint, children: children.count)
        let outer = form
        if let step { path.append(step) }
        if case .key(let key) = step { writer.key(key) }
        form = .nothing
        depth += 1
        defer {
            if step != nil { path.removeLast() }
            form = outer
            depth -= 1
        }
        do {
            try encode(value)
        } catch {
            writer.restore(start.writer)
            children.removeSubrange(start.children...)
            throw error
        }
    }

    /// Begins to write the current value in a form, and returns the context for its members or
    /// elements. If the value already has a different form, returns a context whose text is
    /// discarded.
    func begin(_ wanted: Form) -> EncodingContext {
        if form == .nothing {
            form = wanted
            if wanted == .object { writer.open(UInt8(ascii: "{")) }
            if wanted == .array { writer.open(UInt8(ascii: "[")) }
        } else if form != wanted || wanted == .single {
            failure = failure ?? Self.severalForms(at: path)
            let discarded = EncodingContext(path: path, depth: depth)
            return discarded.begin(wanted)
        }
        return self
    }

    /// Lets the current value be encoded again, because encoding it has failed.
    func beginAgain() { form = .nothing }

    /// The context of a value that can be written at any time before the current one ends.
    func child(at step: PathStep) -> EncodingContext {
        guard depth < Self.maximumDepth else {
            failure = failure ?? Self.tooDeep
            // The text of this context is discarded. Its path is that of the current value, so that
            // the path does not grow forever.
            return EncodingContext(path: path, depth: depth)
        }
        if case .key(let key) = step { writer.key(key) }
        let child = EncodingContext(path: path + [step], depth: depth + 1)
        children.append((writer.reserve(), child))
        return child
    }

    /// Returns the encoded value.
    func finish() throws(JSONError) -> JSONFragment {
        if let failure { throw failure }
        if children.isEmpty { return JSONFragment(writer) }
        for child in children {
            child.context.end()
            writer.insert(try child.context.finish().bytes, at: child.offset)
        }
        return JSONFragment(trusted: JSONFragment(writer).bytes)
    }

    /// Closes the current value. Writes `{}` if its type encoded nothing, as JSONEncoder does below the
    /// top level, where it throws.
    private func end() {
        switch form {
        case .nothing: writer.object { _ in }
        case .object: writer.close(UInt8(ascii: "}"))
        case .array: writer.close(UInt8(ascii: "]"))
        case .single: break
        }
    }

    /// The error for a number at `step`, or for the current value if `step` is nil.
    func notFinite(at step: PathStep?) -> JSONError {
        .mismatch(path: JSONPath(path + (step.map { [$0] } ?? [])), expected: "a finite number")
    }

    private static var tooDeep: JSONError { .tooDeep(maximumDepth: maximumDepth) }

    private static func severalForms(at path: [PathStep]) -> JSONError {
        .invalid(path: JSONPath(path), reason: "its type encodes more than one value")
    }
}

extension JSONWriter {
    /// A position to which the writer can return.
    fileprivate struct Checkpoint {
        let count: Int
        let needsComma: Bool
        #if DEBUG
            let structure: WriterStructure
        #endif
    }

    fileprivate var checkpoint: Checkpoint {
        #if DEBUG
            Checkpoint(count: bytes.count, needsComma: needsComma, structure: structure)
        #else
            Checkpoint(count: bytes.count, needsComma: needsComma)
        #endif
    }

    /// Removes what was written after the checkpoint.
    fileprivate mutating func restore(_ checkpoint: Checkpoint) {
        bytes.removeSubrange(checkpoint.count...)
        needsComma = checkpoint.needsComma
        #if DEBUG
            structure = checkpoint.structure
        #endif
    }

    /// Leaves room for a value, and returns its offset.
    fileprivate mutating func reserve() -> Int {
        beginValue()
        needsComma = true
        return bytes.count
    }

    /// Inserts a value where there is room for it. The offsets must be in ascending order.
    fileprivate mutating func insert(_ value: [UInt8], at offset: Int) {
        splices.append(JSONSplice(offset: offset, bytes: value[...]))
    }
}
