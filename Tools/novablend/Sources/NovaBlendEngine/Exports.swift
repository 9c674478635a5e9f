// Embedding the engine takes one import: these modules have the types of its interface.
@_exported public import NovaBlendAccounts
@_exported public import NovaBlendConfiguration
@_exported public import NovaBlendMethods
