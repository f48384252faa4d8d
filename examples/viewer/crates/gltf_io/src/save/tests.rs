mod copies;
mod crops;
mod embedding;
mod files;
mod trees;
mod volumes;
