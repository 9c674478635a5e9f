export type AxiosRequestHeaders = Record<string, string>;
