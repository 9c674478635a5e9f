/// A salon's identity on the wire.
public typealias SalonIDCodec = IdentifierCodec
