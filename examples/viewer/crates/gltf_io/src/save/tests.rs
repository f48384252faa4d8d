mod copies;
mod crops;
mod embedding;
mod files;
mod marks;
mod trees;
mod volumes;
